import { defined } from '#base/defined.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import type {
  ControlPlaneDowntime,
  OperationReport,
  RehearsedMachine,
  RehearsedTask,
} from '#rehearse/machines/operation-report.ts';
import { rehearsedTasks } from '#rehearse/machines/rehearsed-tasks.ts';
import { downtimeText } from '#rehearse/machines/downtime-text.ts';
import { machineOf } from './machine-state.ts';
import { notRunPrograms } from './not-run-programs.ts';
import { outcomeOf } from './operation-outcome.ts';
import { rollbackOf } from './operation-rollback.ts';
import type { RehearsedOperation } from './rehearsed-operation.ts';
import type { Rehearsed } from './rehearsed.ts';
import { nodeNames, titledTasks } from './step-titles.ts';
import { versionWarnings } from './version-warnings.ts';

export function reportOf(rehearsed: Rehearsed): OperationReport {
  const { plan, seed, walk, undone } = rehearsed;
  const tasks = titledTasks(rehearsedTasks(walk.events, walk.started), nodeNames(plan));
  const seconds = (walk.ended - walk.started) / 1000;
  const downtime = downtimeOf(plan, tasks, seconds);
  return defined<OperationReport>({
    ...aboutOf(plan),
    seed,
    outcome: outcomeOf(plan, walk, tasks),
    seconds,
    tasks,
    machines: clusterNodes(plan).map((node) => machineOf(node, rehearsed, tasks)),
    rollback: rollbackOf(plan, walk, undone),
    downtime,
    assumptions: [...assumptionsOf(plan), ...notRunPrograms(walk.events)],
    warnings: warningsOf(plan, downtime),
  });
}

const clusterNodes = ({ prepared }: RehearsedOperation): readonly ClusterNode[] =>
  prepared.declaration.cluster.nodes;

/** The report of an operation that would not begin. */
export function waitingReport(
  plan: RehearsedOperation,
  seed: number,
  before: Rehearsed['before'],
): OperationReport {
  return {
    ...aboutOf(plan),
    seed,
    outcome: { type: 'WaitsForApproval', message: plan.questions.join('; ') },
    seconds: 0,
    tasks: [],
    machines: clusterNodes(plan).map(({ name, address, roles }) =>
      defined<RehearsedMachine>({
        node: name,
        address,
        roles,
        versionBefore: before.get(name),
        versionAfter: before.get(name),
        done: 0,
        planned: 0,
        state: 'not begun',
        isDone: false,
      }),
    ),
    rollback: { type: 'None', message: 'Nothing is changed before the answer.' },
    assumptions: [],
    warnings: warningsOf(plan, undefined),
  };
}

const aboutOf = ({ request, prepared }: RehearsedOperation) => ({
  cluster: prepared.plan.cluster,
  verb: request.verb,
  operation: prepared.operation,
  installer: request.installer,
  ...(prepared.declaration.cluster.version !== undefined && {
    version: prepared.declaration.cluster.version,
  }),
});

/** While the only master is upgraded its API server does not answer. */
function downtimeOf(
  { prepared }: RehearsedOperation,
  tasks: readonly RehearsedTask[],
  end: number,
): ControlPlaneDowntime | undefined {
  const masters = prepared.declaration.cluster.nodes.filter(({ roles }) => roles.includes('master'));
  const [only] = masters;
  if (masters.length !== 1 || only === undefined || !prepared.operation.endsWith('upgrade')) return undefined;
  const own = tasks.filter(({ node, title }) => node === only.name && title === 'upgrade-first');
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { node: only.name, from: first.startedAt, to: last.endedAt ?? end };
}

const assumptionsOf = ({
  questions,
  versionBefore,
  prepared,
  request,
}: RehearsedOperation): readonly string[] => [
  ...questions.map((question) => `${question}: the answer is yes (--approve)`),
  ...(versionBefore === undefined && request.installer === 'kubeadm' && prepared.operation.endsWith('upgrade')
    ? ['the version before the upgrade is not known: give --from-version']
    : []),
  'programs such as kubeadm take the time that they usually take; --step sets the time of a step',
];

function warningsOf(
  { prepared, request, versionBefore: before }: RehearsedOperation,
  downtime: ControlPlaneDowntime | undefined,
): readonly string[] {
  const { operation, nodes, declaration } = prepared;
  const change = { operation, nodes, cluster: declaration.cluster, before };
  return [
    ...prepared.plan.notes.map(({ message }) => message),
    ...(request.installer === 'kubeadm' ? versionWarnings(change) : []),
    ...(downtime === undefined ? [] : [downtimeText(downtime)]),
  ];
}
