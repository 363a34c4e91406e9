import { textAt } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { isDeleting, kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Decision, WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { adviceFor } from './advice.ts';
import { goBack } from './advice-model.ts';
import { comingEvents } from './coming-events.ts';
import { explainContext, type ExplainContext, type ExplainSubject } from './explain-context.ts';
import { explainWarnings, leaseWarning } from './explain-warnings.ts';
import type { ExplainedStep, Explanation, Remedy, WaitingReason } from './explanation.ts';
import { budgetEvidence, podEvidence } from './pod-evidence.ts';
import { lastRequest } from './request-evidence.ts';
import { runEvidence } from './run-evidence.ts';
import { currentStep, stepWords } from './step-words.ts';
import { waitingReasons } from './waiting-reasons.ts';

export type ExplainGiven = ExplainSubject & {
  /** The Lease of the controllers, where there is one that can be read. */
  readonly lease?: KubeObject | undefined;
};

/** Explains a release from what the controller would decide now. */
export function explainRelease(
  snapshot: WorkloadSnapshot,
  decision: Decision,
  { lease, ...subject }: ExplainGiven,
): Explanation {
  const context = explainContext(snapshot, decision, subject);
  const { status, reason, updateRevision, stableRevision } = context;
  const { workload, now } = snapshot;
  const step = explainedStep(context);
  const hookRuns = runEvidence(context);
  const why = waitingReasons(context);
  const request = lastRequest(context);
  return {
    workload: subject.title,
    kind: kindOf(workload),
    namespace: namespaceOf(workload),
    name: nameOf(workload),
    time: formatTime(now),
    phase: textAt(status, 'phase') ?? '',
    reason,
    message: textAt(status, 'message') ?? '',
    ...(step === undefined ? {} : { step }),
    revisions: {
      update: updateRevision,
      ...(stableRevision === undefined ? {} : { stable: stableRevision }),
    },
    why,
    next: comingEvents(context, hookRuns),
    remedies: remediesOf(context, why),
    evidence: {
      hookRuns,
      ...podEvidence(context),
      budgets: budgetEvidence(context),
      ...(request === undefined ? {} : { lastRequest: request }),
    },
    warnings: [...explainWarnings(context), ...(lease === undefined ? [] : leaseWarning(lease, context))],
  };
}

function explainedStep(context: ExplainContext): ExplainedStep | undefined {
  const { stepIndex, steps, replicas } = context;
  const step = currentStep(context);
  if (stepIndex === undefined || step === undefined) return undefined;
  return { number: stepIndex + 1, count: steps.length, what: stepWords(step, replicas) };
}

/** Of all reasons, each once; the way back last. The release of a workload that is being deleted is over. */
function remediesOf(context: ExplainContext, why: readonly WaitingReason[]): readonly Remedy[] {
  const all = why.flatMap(({ reason }) => adviceFor(reason)?.remedies(context) ?? []);
  if (isDeleting(context.snapshot.workload))
    return all.filter(({ command }) => command?.startsWith('boathook release') !== true);
  const back = goBack(context);
  const isUnderWay = textAt(context.status, 'phase') === 'Progressing';
  const hasBack = isUnderWay || all.some(({ command }) => command === back.command);
  const others = new Map(
    all
      .filter(({ command }) => command !== back.command)
      .map((remedy) => [remedy.command ?? remedy.what, remedy]),
  );
  return [...others.values(), ...(hasBack ? [back] : [])];
}
