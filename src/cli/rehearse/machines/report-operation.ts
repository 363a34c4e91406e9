import { relative } from 'node:path';
import { defined } from '#base/defined.ts';
import { countText } from '#base/text.ts';
import { againCommand } from '#machines/cli/files/again-command.ts';
import type { OperationRequest } from '#machines/cli/files/options.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import { stepsOf, type PlanStep } from '#machines/decide/plan.ts';
import { nodeText } from '#machines/cli/files/event-text.ts';
import type {
  ControlPlaneDowntime,
  OperationOutcome,
  OperationReport,
  RehearsedMachine,
  RehearsedRollback,
  RehearsedTask,
  StoppedTask,
} from '#rehearse/machines/operation-report.ts';
import { rehearsedTasks, shortMessage } from '#rehearse/machines/rehearsed-tasks.ts';
import { clockText, spanText } from '#rehearse/span-text.ts';
import { notRunPrograms } from './not-run-programs.ts';
import type { RehearsedOperation } from './rehearsed-operation.ts';
import type { OperationWalk } from './run-operation.ts';

export type RolledBack = { readonly request: OperationRequest; readonly walk: OperationWalk };

type Versions = ReadonlyMap<string, string | undefined>;

export type Rehearsed = {
  readonly plan: RehearsedOperation;
  readonly seed: number;
  readonly walk: OperationWalk;
  readonly undone: RolledBack | undefined;
  readonly before: Versions;
  readonly after: Versions;
  readonly isDown: (node: string) => boolean;
};

export function reportOf(rehearsed: Rehearsed): OperationReport {
  const { plan, seed, walk, undone } = rehearsed;
  const tasks = titled(plan, rehearsedTasks(walk.events, walk.started));
  const downtime = downtimeOf(plan, tasks);
  return defined<OperationReport>({
    ...aboutOf(plan),
    seed,
    outcome: outcomeOf(plan, walk, tasks),
    seconds: (walk.ended - walk.started) / 1000,
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

/** A step that one machine does for another names the other one: `drain of m2`. */
function titled(plan: RehearsedOperation, tasks: readonly RehearsedTask[]): readonly RehearsedTask[] {
  const names = clusterNodes(plan).map(({ name }) => name);
  return tasks.map((task) => {
    const other = names.find((name) => name !== task.node && task.step.endsWith(`/${name}`));
    return other === undefined ? task : { ...task, title: `${task.title} of ${other}` };
  });
}

/** The report of an operation that would not begin. */
export function waitingReport(plan: RehearsedOperation, seed: number): OperationReport {
  return {
    ...aboutOf(plan),
    seed,
    outcome: { type: 'WaitsForApproval', message: plan.questions.join('; ') },
    seconds: 0,
    tasks: [],
    machines: clusterNodes(plan).map(({ name, address, roles }) => ({
      node: name,
      address,
      roles,
      done: 0,
      planned: 0,
      state: 'not begun',
      isDone: false,
    })),
    rollback: { type: 'None', message: 'Nothing is changed before the answer.' },
    assumptions: [],
    warnings: [],
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

function outcomeOf(
  plan: RehearsedOperation,
  { end }: OperationWalk,
  tasks: readonly RehearsedTask[],
): OperationOutcome {
  if (end === undefined) return { type: 'ReachesHorizon', message: waitingText(tasks) };
  if (end.type === 'unreachable') {
    const failures = [...end.failures].map(([node, message]) => ({ node, step: 'login', message }));
    return {
      type: 'Fails',
      message: 'nothing would be changed, because machines cannot be reached',
      failures,
      remedies: ['start the machine, or leave it out of the file'],
    };
  }
  if (end.type !== 'ended') return { type: 'Fails', message: end.message, failures: [], remedies: [] };
  const { state, failures, isolated } = end.verdict;
  if (state === 'Succeeded') return { type: 'Completes' };
  const stopped: readonly StoppedTask[] = [
    ...failures.map(({ step, node, outcome }) => ({
      node,
      step: step.title,
      message: 'message' in outcome ? shortMessage(outcome.message, node) : outcome.type,
    })),
    ...[...isolated]
      .filter(([node]) => !failures.some((failure) => failure.node === node))
      .map(([node, message]) => ({ node, step: 'login', message })),
  ];
  const [first] = stopped;
  const message = first === undefined ? state : `${nodeText(first.node)}: ${first.message}`;
  if (state === 'PartlySucceeded') return { type: 'CompletesPartly', message, failures: stopped };
  return { type: 'Fails', message, failures: stopped, remedies: remediesOf(plan) };
}

function remediesOf({ request, options }: RehearsedOperation): readonly string[] {
  const files = request.files.map(fromHere);
  const removal = `remove what it created: boathook cluster cleanup ${files.map((file) => `-f ${file}`).join(' ')}`;
  return [
    `fix the cause and retry the failed tasks: ${againCommand('retry', { ...request, files }, options)}`,
    ...(request.verb === 'deploy' || request.verb === 'bootstrap' ? [removal] : []),
  ];
}

/** A path below the current folder as a user would write it. */
function fromHere(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

function waitingText(tasks: readonly RehearsedTask[]): string {
  const last = tasks.findLast(({ result }) => result !== 'succeeded' && result !== 'unchanged');
  if (last === undefined) return 'the last step had not begun';
  const what = last.result === 'running' ? 'still runs' : `${last.result} ${countText(last.attempt, 'time')}`;
  return `${last.title} on ${nodeText(last.node)} ${what}`;
}

function machineOf(
  { name, address, roles }: ClusterNode,
  { plan, before, after, isDown, walk, undone }: Rehearsed,
  tasks: readonly RehearsedTask[],
): RehearsedMachine {
  const steps = stepsOf(plan.prepared.plan).filter(({ targets }) =>
    targets.some(({ node }) => node === name),
  );
  const own = tasks.filter(({ node }) => node === name);
  const isPassed = (id: string): boolean =>
    own.some(({ step, result }) => step === id && (result === 'succeeded' || result === 'unchanged'));
  const done = steps.filter(({ id }) => isPassed(id)).length;
  const open = steps.find(({ id }) => !isPassed(id));
  const state =
    steps.length === 0
      ? 'not concerned'
      : open === undefined
        ? 'done'
        : openState(open, own, walk.end?.type === 'ended' ? walk.end.verdict.isolated.get(name) : undefined);
  const isUndone = isRolledBack(undone, name);
  return defined<RehearsedMachine>({
    node: name,
    address,
    roles,
    versionBefore: before.get(name),
    versionAfter: after.get(name),
    done,
    planned: steps.length,
    state: [
      state,
      ...(isUndone ? ['rolled back'] : []),
      ...(isDown(name) ? ['the machine is down'] : []),
    ].join('; '),
    isDone: open === undefined && !isDown(name) && !isUndone,
  });
}

/** The state of a machine on which a step is not done. */
function openState(open: PlanStep, own: readonly RehearsedTask[], isolated: string | undefined): string {
  if (own.length === 0) return isolated === undefined ? 'not begun' : `skipped: ${isolated}`;
  const isTried = own.some(({ step }) => step === open.id);
  return isTried ? `stopped at ${open.title}` : `left before ${open.title}`;
}

function isRolledBack(undone: RolledBack | undefined, node: string): boolean {
  if (undone?.walk.end?.type !== 'ended') return false;
  const { state, isolated } = undone.walk.end.verdict;
  const isComplete = state === 'Succeeded' || state === 'PartlySucceeded';
  return isComplete && !isolated.has(node) && undone.request.undo?.touched.includes(node) === true;
}

function rollbackOf(
  { options, prepared }: RehearsedOperation,
  { end, started }: OperationWalk,
  undone: RolledBack | undefined,
): RehearsedRollback {
  if (undone !== undefined) {
    const { request, walk } = undone;
    const state = walk.end?.type === 'ended' ? walk.end.verdict.state : undefined;
    return {
      type: 'Runs',
      verb: request.verb,
      nodes: request.undo?.touched ?? request.nodes,
      startedAt: (walk.started - started) / 1000,
      seconds: (walk.ended - walk.started) / 1000,
      isComplete: state === 'Succeeded' || state === 'PartlySucceeded',
      tasks: rehearsedTasks(walk.events, started),
    };
  }
  const isDone = end?.type === 'ended' && end.verdict.state === 'Succeeded';
  if (isDone) return { type: 'None', message: 'Nothing needs to be rolled back.' };
  if (!options.rollback) return { type: 'None', message: 'There is no rollback: --rollback=false.' };
  const { format } = prepared.declaration.cluster;
  return {
    type: 'None',
    message:
      format === 'eggo'
        ? `There is no rollback of ${prepared.operation}: what is done stays, and retry continues.`
        : 'There is no rollback of TKEStack clusters: what is done stays, and retry continues.',
  };
}

/** While the only master is upgraded its API server does not answer. */
function downtimeOf(
  { prepared }: RehearsedOperation,
  tasks: readonly RehearsedTask[],
): ControlPlaneDowntime | undefined {
  const masters = prepared.declaration.cluster.nodes.filter(({ roles }) => roles.includes('master'));
  const [only] = masters;
  if (masters.length !== 1 || only === undefined || !prepared.operation.endsWith('upgrade')) return undefined;
  const own = tasks.filter(({ node, title }) => node === only.name && title === 'upgrade-first');
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { node: only.name, from: first.startedAt, to: last.endedAt ?? first.startedAt };
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
  { prepared }: RehearsedOperation,
  downtime: ControlPlaneDowntime | undefined,
): readonly string[] {
  return [
    ...prepared.plan.notes.map(({ message }) => message),
    ...(downtime === undefined
      ? []
      : [
          `${downtime.node} is the only control plane: its API server does not answer for up to ${spanText(downtime.to - downtime.from)}, from ${clockText(downtime.from)} to ${clockText(downtime.to)}`,
        ]),
  ];
}
