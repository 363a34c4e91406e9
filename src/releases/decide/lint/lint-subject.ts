import { at, numberAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { readGameDeployment, readStep } from '#releases/model/read.ts';
import type { LintTemplates } from './lint-templates.ts';

/** A workload of a file that matches its schema. */
export type LintSubject = {
  /** With the defaults of the schema. */
  readonly workload: KubeObject;
  /** As it is written. */
  readonly given: JsonObject;
  readonly spec: GameDeployment['spec'];
  readonly steps: readonly CanaryStep[];
  /** Undefined: the manifest leaves the number to an autoscaler or to the default. */
  readonly replicas: number | undefined;
  readonly templates: LintTemplates;
};

export function lintSubject(
  workload: GameDeployment | GameStatefulSet,
  given: JsonObject,
  templates: LintTemplates,
): LintSubject {
  const object: KubeObject = { ...workload };
  const { spec } = readGameDeployment(object);
  return {
    workload: object,
    given,
    spec,
    steps: (spec.updateStrategy?.canary?.steps ?? []).map(readStep),
    replicas: numberAt(given, 'spec', 'replicas'),
    templates,
  };
}

export const isWritten = ({ given }: LintSubject, ...path: readonly string[]): boolean =>
  at(given, ...path) !== undefined;

export const stepPath = (index: number): string => `spec.updateStrategy.canary.steps[${index}]`;
