import { parseDuration } from '#base/duration.ts';
import { seconds, type Millis } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { CanaryStepSpec } from '#releases/kinds/canary.ts';
import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { ReleaseRecord } from '#releases/kinds/release-history.ts';
import { listAt } from '#base/json.ts';
import type { CanaryStep } from './canary-step.ts';

type StepFields = Required<CanaryStepSpec>;

/** One reader for each field that a step can have. A field that is added to the schema needs one to compile. */
const stepReaders: {
  readonly [Field in keyof StepFields]: (value: StepFields[Field], spec: CanaryStepSpec) => CanaryStep;
} = {
  partition: (partition, spec) => ({ type: 'partition', partition, spec }),
  pause: ({ duration }, spec) => ({ type: 'pause', duration: durationOf(duration), spec }),
  hook: (hook, spec) => ({ type: 'hook', hook, spec }),
};

export function readStep(spec: CanaryStepSpec): CanaryStep {
  const set = Object.entries(spec).filter(([, value]) => value !== undefined);
  const [[field, value] = ['', undefined], ...others] = set;
  if (others.length > 0 || !Object.hasOwn(stepReaders, field))
    return { type: 'unknown', fields: set.map(([name]) => name), spec };
  const read = stepReaders[field as keyof StepFields] as (value: unknown, spec: CanaryStepSpec) => CanaryStep;
  return read(value, spec);
}

/** A number is in seconds. The schema refuses text that is no duration. */
function durationOf(duration: number | string | undefined): Millis | undefined {
  if (duration === undefined) return undefined;
  return typeof duration === 'number' ? seconds(duration) : (parseDuration(duration) ?? seconds(0));
}

/** The specs of objects that the server has validated against the schemas that these types come from. */
export const readGameDeployment = (object: KubeObject): GameDeployment => object as unknown as GameDeployment;
export const readGameStatefulSet = (object: KubeObject): GameStatefulSet =>
  object as unknown as GameStatefulSet;

/** `status.history`, which the server has validated too. */
export const readHistory = (workload: KubeObject): readonly ReleaseRecord[] =>
  listAt(workload, 'status', 'history') as unknown as readonly ReleaseRecord[];
