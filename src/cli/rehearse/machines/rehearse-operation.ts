import { instant } from '#base/time.ts';
import { virtualTime } from '#edge/virtual-time.ts';
import { prepareRollback, rollbackAfter } from '#machines/cli/files/rollback.ts';
import type { OperationVerdict } from '#machines/decide/verdict.ts';
import type { OperationReport } from '#rehearse/machines/operation-report.ts';
import { memberArtifacts, isMemberBefore, makeMember, makeThisComputer, versionOn } from './member-files.ts';
import type { RehearsedOperation } from './rehearsed-operation.ts';
import type { RolledBack } from './rehearsed.ts';
import { reportOf, waitingReport } from './report-operation.ts';
import { rehearsedFleet, type RehearsedFleet } from './rehearsed-fleet.ts';
import { runRehearsed, type RehearsalStage, type OperationWalk } from './run-operation.ts';
import { ScriptBehaviour } from './script-behaviour.ts';

/** The time at which every rehearsal starts. */
const start = instant(Date.UTC(2026, 0, 5, 12));
const id = 'rehearsal';

/** Rehearses an operation, and its rollback if it has one, on virtual time. The same plan and seed give the same report. */
export async function rehearseOperation(plan: RehearsedOperation, seed: number): Promise<OperationReport> {
  const { prepared, options, rules, request } = plan;
  const time = virtualTime(start);
  const { cluster } = prepared.declaration;
  const behaviour = new ScriptBehaviour(prepared.plan, rules, seed);
  const { stateDir, connectTimeout } = options;
  const fleet = rehearsedFleet({ time, cluster: cluster.id, stateDir, connectTimeout, behaviour });
  const hasVersions = request.installer === 'kubeadm';
  if (hasVersions) makeMembers(fleet, plan);
  makeThisComputer(fleet, prepared.plan);
  const versions = (): ReadonlyMap<string, string | undefined> =>
    new Map(cluster.nodes.map(({ name }) => [name, hasVersions ? versionOn(fleet, name) : undefined]));
  const before = versions();
  if (plan.questions.length > 0 && !plan.isApproved) return waitingReport(plan, seed, before);
  const stage: RehearsalStage = {
    time,
    fleet,
    seed,
    artifacts: new Map(isMade(plan) ? memberArtifacts(cluster.id) : []),
  };
  const walk = await runRehearsed(id, plan, prepared, stage);
  const undone = walk.end?.type === 'ended' ? await rollBack(plan, stage, walk, walk.end.verdict) : undefined;
  return reportOf({ plan, seed, walk, undone, before, after: versions(), isDown: fleet.isDown });
}

const isMade = ({ prepared: { operation } }: RehearsedOperation): boolean =>
  operation !== 'cluster.create' && operation !== 'bootstrap';

function makeMembers(fleet: RehearsedFleet, { prepared, versionBefore }: RehearsedOperation): void {
  const { declaration, operation, nodes } = prepared;
  for (const node of declaration.cluster.nodes) {
    const runsKubelet = node.roles.includes('master') || node.roles.includes('worker');
    if (runsKubelet && isMemberBefore(operation, nodes, node.name))
      makeMember(fleet, node, declaration.cluster, versionBefore);
  }
}

async function rollBack(
  plan: RehearsedOperation,
  stage: RehearsalStage,
  { records }: OperationWalk,
  verdict: OperationVerdict,
): Promise<RolledBack | undefined> {
  const request = rollbackAfter({ ...plan, id, records }, verdict);
  if (request === undefined) return undefined;
  const prepared = await stage.time.hold(
    prepareRollback(request, plan.members, plan.prepared, { keys: false }),
  );
  const walk = await runRehearsed(`${id}-rollback-1`, { ...plan, request }, prepared, stage);
  return { request, walk };
}
