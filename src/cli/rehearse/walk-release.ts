import { listAt, numberAt, textAt } from '#base/json.ts';
import {
  instant,
  later,
  millis,
  minutes,
  parseTime,
  seconds,
  type Instant,
  type Millis,
} from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { nameOf, namespaceOf, objectKeyOf, type KubeObject } from '#kube/object.ts';
import { pods, revisions } from '#loop/owned/resources.ts';
import { viewSnapshotOf } from '#releases/controller/view-snapshot.ts';
import { explainWorkload } from '#releases/cli/explain-workload.ts';
import { givenFlags } from '#releases/cli/given-flags.ts';
import { performAct } from '#releases/cli/perform-act.ts';
import { signatureOf } from '#releases/cli/signature.ts';
import { releaseVerdict } from '#releases/decide/view/release-verdict.ts';
import { releaseViewOf, type ReleaseView } from '#releases/decide/view/release-view.ts';
import type { WorkloadKind } from '#releases/controller/workload-kind.ts';
import type { AssumedApproval, RehearsalOutcome } from '#rehearse/rehearsal-report.ts';
import { emptyTimeline, observe, type Timeline } from '#rehearse/timeline.ts';
import { spanText } from '#rehearse/span-text.ts';
import { finishPostUpdateHooks } from './finish-hooks.ts';
import type { ProgressLine } from './progress-line.ts';
import type { ApprovePolicy, RehearsePlan } from './rehearse-plan.ts';
import { relativeOutcome } from './relative-times.ts';
import { replicasOf } from './replicas-of.ts';
import type { VirtualCluster } from './virtual-cluster.ts';

const never = new AbortController().signal;
/** How long the first version may take to be ready. */
const patience = minutes(60);

export type ReleaseWalk = {
  readonly outcome: RehearsalOutcome;
  readonly took: Millis;
  readonly timeline: Timeline;
  readonly approvals: readonly AssumedApproval[];
  readonly runs: readonly KubeObject[];
  readonly started: Instant;
};

type Subject = {
  readonly kind: WorkloadKind;
  readonly title: string;
  readonly plan: RehearsePlan;
  readonly progress: ProgressLine;
};

/** Lets the first version become ready. */
export async function rollOutFirst(cluster: VirtualCluster, subject: Subject): Promise<void> {
  const { time } = cluster;
  const end = later(time.clock.now(), patience);
  do {
    const verdict = releaseVerdict(workloadIn(cluster, subject)).type;
    if (verdict === 'complete') return;
    if (verdict === 'failed') break;
    subject.progress.show(
      () => `${subject.title}: first version: ${readyText(workloadIn(cluster, subject))}`,
    );
  } while (await time.step(end));
  const { message } = await explained(cluster, subject);
  throw new ExitError(
    1,
    `${subject.title}: the first version never became ready, so there is nothing to release on: ${message}`,
  );
}

/** Changes the workload and follows the release to its end. */
export async function walkRelease(cluster: VirtualCluster, subject: Subject): Promise<ReleaseWalk> {
  const { time } = cluster;
  const { plan } = subject;
  await applyChange(cluster, subject);
  const started = time.clock.now();
  const end = later(started, plan.horizon);
  const approvals: AssumedApproval[] = [];
  let timeline = emptyTimeline;
  let seen = -1;
  for (;;) {
    const changes = [subject.kind.resource, pods, hookRuns].reduce(
      (sum, each) => sum + cluster.changesOf(each),
      0,
    );
    if (changes !== seen)
      timeline = observe(timeline, {
        at: sinceOf(time.clock.now(), started),
        view: viewOf(cluster, subject),
      });
    seen = changes;
    const next = await nextMove(cluster, subject, end);
    if (next.type === 'approve') {
      const step = viewOf(cluster, subject).step?.current;
      approvals.push({ at: sinceOf(time.clock.now(), started) / 1000, ...(step !== undefined && { step }) });
      await approve(cluster, subject);
    } else if (next.type === 'over') {
      const outcome = relativeOutcome(next.outcome, started);
      const took = sinceOf(time.clock.now(), started);
      if (outcome.type === 'Completes') await finishPostUpdateHooks(cluster, end);
      return { outcome, took, timeline, approvals, runs: cluster.everStored(hookRuns), started };
    } else await time.step(next.until);
    subject.progress.show(
      () =>
        `${subject.title}: ${spanText(sinceOf(time.clock.now(), started) / 1000)} of the release: ${readyText(workloadIn(cluster, subject))}`,
    );
  }
}

type Move =
  | { readonly type: 'wait'; readonly until: Instant }
  | { readonly type: 'approve' }
  | { readonly type: 'over'; readonly outcome: RehearsalOutcome };

async function nextMove(cluster: VirtualCluster, subject: Subject, end: Instant): Promise<Move> {
  const now = cluster.time.clock.now();
  const workload = workloadIn(cluster, subject);
  const verdict = releaseVerdict(workload);
  if (verdict.type === 'complete') return { type: 'over', outcome: { type: 'Completes' } };
  if (verdict.type === 'failed') return over(cluster, subject, 'Stops');
  if (verdict.type === 'waiting') {
    if (!isApprovalPause(workload))
      return over(cluster, subject, isStoppedByHook(workload) ? 'Stops' : 'WaitsForUser');
    const at = approvalTime(subject.plan.approve, workload);
    if (at === undefined) return over(cluster, subject, 'WaitsForApproval');
    if (at <= now) return { type: 'approve' };
    if (at <= end) return { type: 'wait', until: at };
  }
  if (now >= end) return over(cluster, subject, 'ReachesHorizon');
  return { type: 'wait', until: end };
}

const pausesOf = (workload: KubeObject): readonly (string | undefined)[] =>
  listAt(workload, 'status', 'pauseConditions').map((each) => textAt(each, 'reason'));

/** Whether nothing but a pause step holds the release. */
const isApprovalPause = (workload: KubeObject): boolean => {
  const pauses = pausesOf(workload);
  return pauses.length > 0 && pauses.every((reason) => reason === 'PausedByCanaryPauseStep');
};

const isStoppedByHook = (workload: KubeObject): boolean =>
  pausesOf(workload).includes('PausedByStepBasedHook');

function approvalTime(policy: ApprovePolicy, workload: KubeObject): Instant | undefined {
  if (policy.type === 'never') return undefined;
  const since = parseTime(textAt(listAt(workload, 'status', 'pauseConditions')[0], 'startTime') ?? '');
  return later(since ?? instant(0), policy.type === 'auto' ? millis(0) : policy.wait);
}

/** The end of a rehearsal whose release is not complete, as `release explain` explains it. */
async function over(
  cluster: VirtualCluster,
  subject: Subject,
  type: 'Stops' | 'WaitsForApproval' | 'WaitsForUser' | 'ReachesHorizon',
): Promise<Move> {
  const { reason, message, remedies, step } = await explained(cluster, subject);
  const where = { message, ...(step && { step: step.number }) };
  if (type !== 'Stops') return { type: 'over', outcome: { type, ...where } };
  const what = remedies.map((each) =>
    each.command === undefined ? each.what : `${each.what}: ${each.command}`,
  );
  return { type: 'over', outcome: { type, reason, remedies: what, ...where } };
}

function explained(cluster: VirtualCluster, { title, plan }: Subject): ReturnType<typeof explainWorkload> {
  const namespace = namespaceOf(plan.workload);
  const flags = namespace === 'default' ? '' : givenFlags({ namespace });
  const { time } = cluster;
  return time.until(explainWorkload(requestsOf(cluster, plan), title, { flags, clock: time.clock }));
}

async function applyChange({ time, client }: VirtualCluster, { kind, title, plan }: Subject): Promise<void> {
  const { workload, spec } = plan;
  const body = [{ op: 'replace', path: '/spec', value: spec }];
  const outcome = await time.until(
    client.patch(kind.resource, objectKeyOf(workload), { type: 'json', body }, never),
  );
  if (outcome.type !== 'ok') throw new ExitError(2, `the change of ${title} was refused: ${outcome.message}`);
  await time.settle();
}

async function approve(cluster: VirtualCluster, subject: Subject): Promise<void> {
  const { time, random } = cluster;
  const { kind, title, plan } = subject;
  const acting = { ...requestsOf(cluster, plan), clock: time.clock, random, note: () => undefined };
  const found = { kind, title, workload: workloadIn(cluster, subject) };
  const signed = signatureOf(acting, 'rehearsal', 'assumed by boathook rehearse');
  const report = await time.until(
    performAct(acting, found, { verb: 'promote', options: {}, signed, wait: seconds(60) }),
  );
  if (report.result !== 'Done') throw new Error(`the approval of ${title} had no effect: ${report.message}`);
}

const requestsOf = ({ client }: VirtualCluster, { workload }: RehearsePlan) => ({
  client,
  namespace: namespaceOf(workload),
  signal: () => never,
  whole: never,
});

function viewOf(cluster: VirtualCluster, subject: Subject): ReleaseView {
  const selected = {
    workload: workloadIn(cluster, subject),
    pods: cluster.stored(pods),
    revisions: cluster.stored(revisions),
    runs: cluster.stored(hookRuns),
  };
  return releaseViewOf(viewSnapshotOf(selected, cluster.time.clock.now()));
}

function workloadIn(cluster: VirtualCluster, { kind, title, plan }: Subject): KubeObject {
  const { namespace, name } = objectKeyOf(plan.workload);
  const found = cluster
    .stored(kind.resource)
    .find((each) => nameOf(each) === name && namespaceOf(each) === namespace);
  if (found === undefined) throw new Error(`${title} does not exist`);
  return found;
}

const readyText = (workload: KubeObject): string =>
  `${numberAt(workload, 'status', 'readyReplicas') ?? 0} of ${replicasOf(workload)} pods ready`;

const sinceOf = (now: Instant, started: Instant): Millis => millis(now - started);
