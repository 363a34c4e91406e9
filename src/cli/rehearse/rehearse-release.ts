import { defined } from '#base/defined.ts';
import { textAt } from '#base/json.ts';
import { instant, parseTime } from '#base/time.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import { hookRunController } from '#hooks/controller/hook-run-controller.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { statusOf } from '#hooks/read.ts';
import { badMessage, phaseOf } from '#hooks/decide/run-phase.ts';
import { kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { titleOf as workloadTitle } from '#releases/cli/find-workload.ts';
import { workloadKinds } from '#releases/cli/workload-name.ts';
import type { WorkloadKind } from '#releases/controller/workload-kind.ts';
import { hookTemplateNames } from '#releases/decide/hook-template-names.ts';
import { originOf } from '#releases/model/run-labels.ts';
import { availabilityOf } from '#rehearse/availability.ts';
import type { RehearsalReport, RehearsedCall, RehearsedHook } from '#rehearse/rehearsal-report.ts';
import { budgetsOf } from './budgets-of.ts';
import { rehearsedAsk, templateOfRun, type RehearsedAnswers } from './hook-answers.ts';
import { openOutside } from './outside.ts';
import { createObjects, setPodBehaviour } from './prepare-cluster.ts';
import { openProgressLine } from './progress-line.ts';
import type { RehearsePlan } from './rehearse-plan.ts';
import { openVirtualCluster, type RehearsedProduct, type VirtualCluster } from './virtual-cluster.ts';
import { maxUnavailableOf, replicasOf, rollOutFirst, walkRelease, type ReleaseWalk } from './walk-release.ts';

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
  const notRun = await createObjects(opened, [...plan.objects, workload]);
  using progress = openProgressLine();
  const subject = { kind, title, plan, progress };
  await rollOutFirst(opened, subject);
  await setPodBehaviour(opened, plan);
  const walk = await walkRelease(opened, subject);
  const [problem] = opened.problems;
  if (problem !== undefined) throw problem;
  return reportOf(plan, { title, seed, walk, notRun, answers });
}

function workloadKindOf(workload: KubeObject): WorkloadKind {
  const found = workloadKinds.find(({ kind }) => kind === kindOf(workload));
  if (found === undefined) throw new Error(`${kindOf(workload)} is not a workload`);
  return found;
}

type Rehearsed = {
  readonly title: string;
  readonly seed: number;
  readonly walk: ReleaseWalk;
  readonly notRun: readonly string[];
  readonly answers: RehearsedAnswers;
};

function reportOf(plan: RehearsePlan, { title, seed, walk, notRun, answers }: Rehearsed): RehearsalReport {
  const changed = answers.workload;
  const replicas = replicasOf(changed);
  const { pods, steps } = walk.timeline;
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
    steps,
    hooks: walk.runs.map((run) => hookOf(changed, run, walk)),
    approvals: walk.approvals,
    pods,
    isScaledOnly: plan.images.length === 0,
    availability: availabilityOf(pods, running - maxUnavailableOf(changed)),
    budgets: budgetsOf(plan.objects, changed, running),
    assumptions: [...assumptionsOf(changed, answers), ...plan.assumptions],
    warnings: plan.warnings,
    notRun,
  };
}

const strategyOf = (workload: KubeObject): string =>
  textAt(workload, 'spec', 'updateStrategy', 'type') ?? 'RollingUpdate';

function assumptionsOf(workload: KubeObject, { byTemplate, others }: RehearsedAnswers): readonly string[] {
  if (others === 'live') return [];
  return [...hookTemplateNames(workload)]
    .filter((name) => !byTemplate.has(name))
    .map(
      (name) =>
        `HookTemplate ${name} was assumed to pass: give --hook ${name}=FILE with a recorded reply, --hook ${name}=fail-after:N, or --live-hooks`,
    );
}

function hookOf(workload: KubeObject, run: KubeObject, { started, timeline }: ReleaseWalk): RehearsedHook {
  const { point, step } = originOf(run);
  // Times of calls have whole seconds: a call is not before its step.
  const least =
    timeline.steps.find(({ number }) => step !== '' && number === Number(step) + 1)?.startedAt ?? 0;
  const { metricResults = [] } = statusOf(run);
  const calls = metricResults.flatMap(({ name, measurements = [] }) =>
    measurements.map((each) =>
      defined<RehearsedCall>({
        at: Math.max(least, ((parseTime(each.startedAt ?? '') ?? started) - started) / 1000),
        metric: name,
        phase: each.phase ?? 'Pending',
        value: each.value,
        message: each.message,
        because: each.evidence?.because?.join(', '),
      }),
    ),
  );
  return {
    name: nameOf(run),
    template: templateOfRun(workload, run),
    point,
    ...(step !== '' && { step: Number(step) + 1 }),
    phase: phaseOf(run) || 'Pending',
    message: badMessage(run),
    calls: calls.toSorted((left, right) => left.at - right.at),
  };
}
