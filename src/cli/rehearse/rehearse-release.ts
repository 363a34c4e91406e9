import { textAt } from '#base/json.ts';
import { instant } from '#base/time.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import { hookRunController } from '#hooks/controller/hook-run-controller.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { titleOf as workloadTitle } from '#releases/cli/find-workload.ts';
import { workloadKinds } from '#releases/cli/workload-name.ts';
import type { WorkloadKind } from '#releases/controller/workload-kind.ts';
import { availabilityOf } from '#rehearse/availability.ts';
import { postUpdateWarnings } from '#rehearse/post-update-warnings.ts';
import type { RehearsalReport, RehearsedHook } from '#rehearse/rehearsal-report.ts';
import { CallLog } from './call-log.ts';
import { rehearsedAsk, type RehearsedAnswers } from './hook-answers.ts';
import { openOutside } from './outside.ts';
import { passiveObjects } from './passive-objects.ts';
import { createObjects, setPodBehaviour, titleOf } from './prepare-cluster.ts';
import { openProgressLine } from './progress-line.ts';
import type { RehearsePlan } from './rehearse-plan.ts';
import { rehearsedHook } from './rehearsed-hook.ts';
import { replicasOf } from './replicas-of.ts';
import { openVirtualCluster, type RehearsedProduct, type VirtualCluster } from './virtual-cluster.ts';
import { rollOutFirst, walkRelease, type ReleaseWalk } from './walk-release.ts';

/** The time at which every rehearsal starts: a report depends on nothing but its input and the seed. */
const start = instant(Date.UTC(2026, 0, 5, 12));
const podsPerNode = 100;

/** Rehearses the release of a plan on virtual time. The same plan and seed give the same report. */
export async function rehearseRelease(
  product: RehearsedProduct,
  plan: RehearsePlan,
  seed: number,
): Promise<RehearsalReport> {
  const { workload } = plan;
  const changed = { ...workload, spec: plan.spec };
  const kind = workloadKindOf(workload);
  const title = workloadTitle(kind, nameOf(workload));
  const answers: RehearsedAnswers = {
    byTemplate: plan.hooks,
    others: plan.isLive ? 'live' : 'pass',
    workload: changed,
  };
  await using outside = openOutside(plan.isLive);
  let cluster: VirtualCluster | undefined;
  const outgoing: Outgoing = (request, signal) =>
    cluster === undefined ? outside.send(request, signal) : cluster.time.hold(outside.send(request, signal));
  await using opened = await openVirtualCluster({
    start,
    seed,
    nodes: Math.max(3, Math.ceil((2 * Math.max(replicasOf(workload), replicasOf(changed))) / podsPerNode)),
    remembered: [hookRuns],
    profile: plan.profile,
    kinds: product.kinds,
    control: await product.control({
      outgoing,
      hookRuns: (deps) => hookRunController(deps, rehearsedAsk(deps, answers)),
    }),
  });
  cluster = opened;
  const log = new CallLog();
  opened.watch(hookRuns, (run) => log.see(run));
  const unknown = await createObjects(opened, [...plan.objects, workload]);
  const notRun = [...new Set([...unknown, ...passiveObjects(plan.objects).map(titleOf)])];
  using progress = openProgressLine();
  const subject = { kind, title, plan, progress };
  await rollOutFirst(opened, subject);
  await setPodBehaviour(opened, plan);
  const walk = await walkRelease(opened, subject);
  const [problem] = opened.problems;
  if (problem !== undefined) throw problem;
  return reportOf(plan, { kind, title, seed, walk, log, notRun, answers });
}

function workloadKindOf(workload: KubeObject): WorkloadKind {
  const found = workloadKinds.find(({ kind }) => kind === kindOf(workload));
  if (found === undefined) throw new Error(`${kindOf(workload)} is not a workload`);
  return found;
}

type Rehearsed = {
  readonly kind: WorkloadKind;
  readonly title: string;
  readonly seed: number;
  readonly walk: ReleaseWalk;
  readonly log: CallLog;
  readonly notRun: readonly string[];
  readonly answers: RehearsedAnswers;
};

function reportOf(
  plan: RehearsePlan,
  { kind, title, seed, walk, log, notRun, answers }: Rehearsed,
): RehearsalReport {
  const changed = answers.workload;
  const replicas = replicasOf(changed);
  const { pods, steps } = walk.timeline;
  const hooks = walk.runs.map((run) => rehearsedHook(run, { workload: changed, walk, logged: log.of(run) }));
  const isScaledOnly = plan.images.length === 0;
  const running = Math.min(replicas, replicasOf(plan.workload));
  return {
    workload: title,
    namespace: namespaceOf(plan.workload),
    change: plan.change,
    strategy: strategyOf(changed),
    replicas,
    seed,
    outcome: walk.outcome,
    seconds: walk.took / 1000,
    // No template changes: there is nothing for steps to do.
    steps: isScaledOnly ? [] : steps,
    hooks,
    approvals: walk.approvals,
    pods,
    isScaledOnly,
    availability: availabilityOf(pods, running - kind.releaseSpec(changed).maxUnavailable),
    budgets: plan.budgets,
    assumptions: [...assumptionsOf(hooks, answers), ...plan.assumptions],
    warnings: [...plan.warnings, ...postUpdateWarnings(hooks, walk.outcome.type === 'Completes')],
    notRun,
  };
}

const strategyOf = (workload: KubeObject): string =>
  textAt(workload, 'spec', 'updateStrategy', 'type') ?? 'RollingUpdate';

/** Of hooks that were called. */
function assumptionsOf(
  hooks: readonly RehearsedHook[],
  { byTemplate, others }: RehearsedAnswers,
): readonly string[] {
  if (others === 'live') return [];
  const called = hooks.filter(({ calls }) => calls.length > 0).map(({ template }) => template);
  return [...new Set(called)]
    .filter((name) => !byTemplate.has(name))
    .map(
      (name) =>
        `HookTemplate ${name} was assumed to pass: give --hook ${name}=FILE with a recorded reply, --hook ${name}=fail-after:N, or --live-hooks`,
    );
}
