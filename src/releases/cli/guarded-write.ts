import { equalJson, type Json } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { mustBe } from '#command/open-cluster.ts';
import type { Patch } from '#edge/kube/write-verbs.ts';
import { objectKeyOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { FoundWorkload } from './find-workload.ts';
import { releaseAgent } from './release-flags.ts';

/** What was decided on a workload as it was read. */
export type Decided<Write, Stop> =
  /** `basis`: what the decision depends on. `patch` must contain the resourceVersion of the workload. */
  | { readonly type: 'write'; readonly write: Write; readonly basis: Json; readonly patch: Patch }
  | { readonly type: 'stop'; readonly stop: Stop };

export type Guarded<Write, Stop> =
  | { readonly type: 'written'; readonly write: Write; readonly workload: KubeObject }
  /** Nothing was written. `before`: the first reading, if another writer has changed the workload since. */
  | {
      readonly type: 'stopped';
      readonly stop: Stop;
      readonly workload: KubeObject;
      readonly before: KubeObject | undefined;
    }
  /** Nothing was written: what the decision depended on was changed by another writer. */
  | { readonly type: 'changed'; readonly before: KubeObject; readonly after: KubeObject };

const mostAttempts = 5;

/**
 * Writes what `decide` returns, provided that nobody has changed the workload since it was read. After a conflict it
 * is read again, and written only if the decision is still the same.
 */
export async function guardedWrite<Write, Stop>(
  { client, signal }: Pick<InCluster, 'client' | 'signal'>,
  { kind, workload, title }: FoundWorkload,
  decide: (workload: KubeObject) => Decided<Write, Stop>,
): Promise<Guarded<Write, Stop>> {
  const key = objectKeyOf(workload);
  let current = workload;
  let basis: Json | undefined;
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const before = attempt === 1 ? undefined : workload;
    const decided = decide(current);
    if (decided.type === 'stop') return { type: 'stopped', stop: decided.stop, workload: current, before };
    if (before !== undefined && !(equalJson(basis, decided.basis) && uidOf(current) === uidOf(before)))
      return { type: 'changed', before, after: current };
    basis = decided.basis;
    const patch = { ...decided.patch, fieldManager: releaseAgent };
    const outcome = await client.patch(kind.resource, key, patch, signal());
    if (outcome.type === 'ok') return { type: 'written', write: decided.write, workload: outcome.object };
    if (outcome.type !== 'conflict') mustBe(outcome, title);
    current = mustBe(await client.get(kind.resource, key, signal()), title);
  }
  throw new ExitError(
    3,
    `another writer keeps changing ${title}: nothing was written in ${mostAttempts} attempts. Run the command again`,
  );
}
