import type { SpecProblem } from '#machines/decide/problem.ts';
import { planObject, prepareObject, type ObjectRequest } from '#machines/decide/objects/plan-object.ts';
import { withoutMasters, withoutWaiting } from '#machines/decide/objects/address-taken.ts';
import type { OperationPlan } from '#machines/decide/objects/operation-state.ts';
import type { WantedOperation } from '#machines/decide/objects/due.ts';
import { at } from '#base/json.ts';
import { fillCredentials } from './credentials.ts';
import type { ManagedObject } from './managed-object.ts';
import type { OperationDeps } from './operation-deps.ts';

export type MadePlan =
  | { readonly type: 'planned'; readonly plan: OperationPlan }
  | { readonly type: 'refused'; readonly problems: readonly SpecProblem[] };

/** Makes a plan from objects, Secrets and the file system. Does not contact any machine. */
export async function makePlan(
  { client, io }: Pick<OperationDeps, 'client' | 'io'>,
  subject: ManagedObject,
  wanted: WantedOperation,
  signal: AbortSignal,
): Promise<MadePlan> {
  const object = subject.object();
  const cluster = subject.cluster();
  if (object === undefined || cluster === undefined)
    return {
      type: 'refused',
      problems: [{ origin: { file: '', pointer: '' }, message: 'the Cluster is gone' }],
    };
  const filled = await fillCredentials(client, cluster, signal);
  const workers = [];
  for (const worker of subject.workers(wanted)) workers.push(await fillCredentials(client, worker, signal));
  const missing = [filled, ...workers].flatMap(({ problems }) => problems);
  if (missing.length > 0) return { type: 'refused', problems: missing };
  const machines = workers.map((worker) => worker.object);
  const request: ObjectRequest = {
    cluster: withoutMasters(withoutWaiting(filled.object, machines), subject.held(wanted)),
    machines,
    wanted,
    root: io.filesRoot,
    force: at(object, 'spec', 'forceDelete') === true,
  };
  const prepared = prepareObject(request);
  const facts = {
    sources: await io.sources(prepared.sources, prepared.deep),
    nodes: new Map(),
    sha256: io.sha256,
  };
  const planned = planObject(request, prepared, facts);
  return 'problems' in planned
    ? { type: 'refused', problems: planned.problems }
    : { type: 'planned', plan: { planned, prepared } };
}
