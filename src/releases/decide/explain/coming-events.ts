import { numberAt, textAt } from '#base/json.ts';
import { formatDuration } from '#base/duration.ts';
import { formatTime, instant, later, parseTime, seconds, type Instant } from '#base/time.ts';
import { isDeleting } from '#kube/object.ts';
import { nextAvailable } from '#kube/workload/pod-facts.ts';
import { progressInPlace } from '#releases/decide/in-place.ts';
import { releasePodOf } from '#releases/decide/pod-view.ts';
import { adviceFor } from './advice.ts';
import { actionWords } from './action-words.ts';
import type { ComingEvent, RunEvidence } from './explanation.ts';
import type { ExplainContext } from './explain-context.ts';
import { pendingRequest } from './request-evidence.ts';
import { currentStep, followingStep, stepNumber } from './step-words.ts';

type Timed = { readonly what: string; readonly at: Instant };

/** What happens next: events with their time, the first one first, then what ends the wait. */
export function comingEvents(context: ExplainContext, runs: readonly RunEvidence[]): readonly ComingEvent[] {
  const { decision, reason, snapshot } = context;
  const known = [
    ...pauseEnd(context),
    ...nextCalls(runs),
    ...graceEnd(context),
    ...podAvailable(context),
    ...progressDeadline(context),
  ].filter(({ at }) => at > snapshot.now);
  const timed = [...known, ...nextLook(context, known)].toSorted((a, b) => a.at - b.at);
  const ends = isDeleting(snapshot.workload)
    ? 'The workload is being deleted: it is gone when the hooks of its pods have passed.'
    : (adviceFor(reason)?.ends(context) ?? quietWords(context));
  return [
    ...pendingRequest(context),
    ...actionWords(decision.actions).map((what) => ({ what })),
    ...timed.map(({ what, at }) => ({ what, at: formatTime(instant(Math.ceil(at / 1000) * 1000)) })),
    ...promotionWords(context),
    { what: ends },
  ];
}

/** For a release that waits for nothing in particular. */
function quietWords(context: ExplainContext): string {
  if (textAt(context.status, 'phase') === 'Complete') return 'Nothing: the release is complete.';
  return context.stepIndex === undefined
    ? 'The update of the pods goes on.'
    : `The update of the pods goes on. Then comes ${followingStep(context)}.`;
}

function pauseEnd(context: ExplainContext): readonly Timed[] {
  const { status, steps, stepIndex = 0, reason } = context;
  const step = currentStep(context);
  if (reason !== 'PausedByCanaryPauseStep' || step?.type !== 'pause' || step.duration === undefined)
    return [];
  const pauses = Array.isArray(status['pauseConditions']) ? status['pauseConditions'] : [];
  const pause = pauses.find((each) => textAt(each as never, 'reason') === reason) as never;
  const start = parseTime(textAt(pause, 'startTime') ?? '');
  if (start === undefined) return [];
  return [
    {
      what: `The pause of ${stepNumber(stepIndex, steps)} ends after ${formatDuration(step.duration)}.`,
      at: instant(start + step.duration),
    },
  ];
}

const nextCalls = (runs: readonly RunEvidence[]): readonly Timed[] =>
  runs.flatMap(({ name, metrics }) =>
    metrics.flatMap((metric) => {
      const at = parseTime(metric.nextCall ?? '');
      const number = metric.calls + 1;
      const of = metric.callsToMake === undefined ? `${number}` : `${number} of ${metric.callsToMake}`;
      const what = `HookRun ${name} makes call ${of} of metric ${metric.name}.`;
      return at === undefined ? [] : [{ what, at }];
    }),
  );

/** The first pod whose grace period ends. */
function graceEnd({ snapshot }: ExplainContext): readonly Timed[] {
  const ends = snapshot.pods.map(releasePodOf).flatMap((view): readonly Timed[] => {
    if (!view.isActive) return [];
    const progress = progressInPlace(view, 0, snapshot.now);
    const what = `The grace period of pod ${view.facts.name} ends, and its containers are replaced.`;
    return progress.type === 'grace' ? [{ what, at: progress.until }] : [];
  });
  return ends.toSorted((a, b) => a.at - b.at).slice(0, 1);
}

function podAvailable({ snapshot, spec }: ExplainContext): readonly Timed[] {
  const { minReadySeconds = 0 } = spec;
  const inService = snapshot.pods
    .map(releasePodOf)
    .filter((view) => view.isActive && view.isInService)
    .map(({ facts }) => facts);
  const at = nextAvailable(inService, minReadySeconds, snapshot.now);
  const what = `A pod has been ready for minReadySeconds (${minReadySeconds}).`;
  return at === undefined ? [] : [{ what, at }];
}

function progressDeadline(context: ExplainContext): readonly Timed[] {
  const at = deadlineOf(context);
  if (textAt(context.status, 'phase') !== 'Progressing' || at === undefined) return [];
  const { progressDeadlineSeconds = 600 } = context.spec;
  const what = `Without progress until then the release is Blocked (ProgressDeadlineExceeded, after ${progressDeadlineSeconds} s).`;
  return [{ what, at }];
}

function deadlineOf({ spec, status }: ExplainContext): Instant | undefined {
  const last = parseTime(textAt(status, 'lastProgressTime') ?? '');
  return last === undefined ? undefined : later(last, seconds(spec.progressDeadlineSeconds ?? 600));
}

/**
 * The controller also wakes up at times that are not listed, such as the deadline of a hook of a pod. The progress
 * deadline changes nothing for a release that is already Blocked.
 */
function nextLook(context: ExplainContext, known: readonly Timed[]): readonly Timed[] {
  const { wakeAt } = context.decision;
  if (wakeAt === undefined || wakeAt <= context.snapshot.now) return [];
  const others = [...known.map(({ at }) => at), deadlineOf(context) ?? 0];
  const isKnown = others.some((at) => Math.abs(at - wakeAt) < 1000);
  return isKnown ? [] : [{ what: 'The controller decides again.', at: wakeAt }];
}

function promotionWords({ status, steps }: ExplainContext): readonly ComingEvent[] {
  const promotion = status['canary'] as never;
  const toStep = numberAt(promotion, 'promotion', 'toStep');
  if (toStep === undefined) return [];
  const end = toStep >= steps.length ? 'the end' : stepNumber(toStep, steps);
  return [{ what: `A user has promoted the release up to ${end}: pauses before it end at once.` }];
}
