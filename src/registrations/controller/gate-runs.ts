import { textAt } from '#base/json.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { isFinished } from '#hooks/decide/run-object.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { Registration } from '#registrations/model/registration.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Source } from '#loop/controller.ts';
import { keyOf } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import { ownerIndexes } from '#loop/owned/owned.ts';
import { Refused, removeObject } from '#loop/owned/write.ts';
import { reasonOf, type Report } from '#loop/report.ts';
import {
  labelsOf,
  nameOf,
  namespaceOf,
  objectKeyOf,
  uidOf,
  type KubeObject,
  type WithMetadata,
} from '#kube/object.ts';
import { instanceKey } from './instance-key.ts';

export type GateInformers = { readonly templates: Informer; readonly runs: Informer };

export const gateInformers = ({ informers }: Pick<ControlDeps, 'informers'>): GateInformers => ({
  templates: informers.informer({ resource: hookTemplates }),
  runs: informers.informer({ resource: hookRuns, indexes: ownerIndexes }),
});

/** A HookRun maps to its instance, a HookTemplate to all instances in its namespace. */
export function gateSources(
  { templates, runs }: GateInformers,
  registration: Registration,
  {
    kind,
    instances,
  }: { readonly kind: InstanceKind; readonly instances: Pick<Informer<WithMetadata>, 'list'> },
): readonly Source[] {
  const byTemplate: Source = {
    informer: templates,
    keysOf: ({ object }) =>
      nameOf(object) === registration.gate?.templateName
        ? instances.list(namespaceOf(object)).map(keyOf)
        : [],
  };
  const byRun: Source = {
    informer: runs,
    keysOf: ({ object }) => [instanceKey(object, kind)].filter((key) => key !== undefined),
  };
  return [byRun, byTemplate];
}

/** Creates the run of the gate, and removes runs about earlier states of the instance. */
export async function createGateRun(
  {
    client,
    gate,
    report,
  }: Pick<ControlDeps, 'client' | 'report'> & { readonly gate: GateInformers | undefined },
  run: KubeObject,
  instance: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject> {
  const created = await client.create(hookRuns, run, signal);
  const key = objectKeyOf(run);
  const outcome = created.type === 'exists' ? await client.get(hookRuns, key, signal) : created;
  if (outcome.type !== 'ok') throw new Refused(outcome);
  const about = { instance, current: outcome.object };
  if (gate !== undefined) await removeFormerRuns({ client, report }, gate.runs, about, signal);
  return outcome.object;
}

/** Finished runs about earlier states that are kept for users. */
const keptVerdicts = 3;

/**
 * Deletes the gate's runs about earlier states of the instance: all unfinished ones, and finished ones but the latest.
 * A failed deletion is reported only.
 */
async function removeFormerRuns(
  { client, report }: { readonly client: Pick<KubeClient, 'remove'>; readonly report: Report },
  runs: Informer,
  { instance, current }: { readonly instance: KubeObject; readonly current: KubeObject },
  signal: AbortSignal,
): Promise<void> {
  const former = runs
    .byIndex('controller', uidOf(instance))
    .filter((run) => labelsOf(run)['boathook.dev/hook-point'] === 'Gate' && nameOf(run) !== nameOf(current));
  const over = former.filter((run) => isFinished(run)).toSorted(byAge);
  const open = former.filter((run) => !over.includes(run));
  for (const run of [...open, ...over.slice(0, Math.max(0, over.length - keptVerdicts))])
    try {
      await removeObject(client, hookRuns, run, signal);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      report(
        'a former run of a gate could not be removed',
        { run: keyOf(run), why: reasonOf(error) },
        'warn',
      );
      return;
    }
}

const byAge = (left: KubeObject, right: KubeObject): number => (madeAt(left) < madeAt(right) ? -1 : 1);
const madeAt = (run: KubeObject): string => textAt(run, 'metadata', 'creationTimestamp') ?? '';
