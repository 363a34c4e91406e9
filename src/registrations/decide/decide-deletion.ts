import { listAt, textAt } from '#base/json.ts';
import { millis, parseTime, seconds, type Millis } from '#base/time.ts';
import { formatDuration } from '#base/duration.ts';
import { annotationsOf } from '#kube/object.ts';
import type { InstanceEvent, InstanceSnapshot, ReconcileStep } from './cycle.ts';
import { finishCycle, rest } from './finish-cycle.ts';
import { finalizer, pausedAnnotation, skipFinalizeAnnotation } from '#registrations/model/registration.ts';
import { callStep } from './shape-children.ts';
import { eventsOf, hasPhase, phaseReplyOf, warning, type PhaseReply } from './phase-reply.ts';

/** The next step for an instance that is being deleted. The garbage collector deletes its children. */
export function decideDeletion(snapshot: InstanceSnapshot): ReconcileStep {
  const { registration, instance, memory } = snapshot;
  const finalizers = listAt(instance, 'metadata', 'finalizers');
  // Only finalizers of others are left: the hook is not called.
  if (!finalizers.includes(finalizer)) return rest(memory, 'done');
  if (annotationsOf(instance)[skipFinalizeAnnotation] === 'true')
    return release([
      warning('FinalizeSkipped', `the annotation ${skipFinalizeAnnotation} is set: the hook is not called`),
    ]);
  if (annotationsOf(instance)[pausedAnnotation] === 'true') return pausedDeletion(snapshot);
  if (!hasPhase(registration, 'finalize')) return release([]);
  // The garbage collector deletes or orphans the children first.
  if (finalizers.some((each) => each === 'foregroundDeletion' || each === 'orphan'))
    return rest(memory, 'waiting');
  const left = timeLeft(snapshot);
  if (left !== undefined && left <= 0) return release([timeoutEvent(snapshot)]);
  const phaseReply = phaseReplyOf(snapshot, 'finalize');
  if (phaseReply === undefined) return callStep(snapshot, 'finalize', undefined);
  return heard(snapshot, phaseReply, left);
}

/** The user who deletes may not be the one who paused: the condition names what blocks the deletion. */
const pausedDeletion = (snapshot: InstanceSnapshot): ReconcileStep =>
  finishCycle({
    snapshot,
    phaseReplies: [],
    outcome: 'paused',
    problem: {
      status: 'Unknown',
      reason: 'PAUSED',
      message: `the annotation ${pausedAnnotation} blocks the deletion: remove it to continue, or add ${skipFinalizeAnnotation}=true to delete the instance without calling the hook`,
      retry: 'never',
    },
  });

const release = (events: readonly InstanceEvent[]): ReconcileStep => ({ type: 'remove-finalizer', events });

function heard(snapshot: InstanceSnapshot, phaseReply: PhaseReply, left: Millis | undefined): ReconcileStep {
  const { registration } = snapshot;
  if (phaseReply.fault !== undefined) {
    if (!phaseReply.fault.halt) return release(eventsOf(registration, phaseReply));
    return finishCycle({
      snapshot,
      phaseReplies: [phaseReply],
      outcome: 'failed',
      atMost: left,
      events: [blocked],
      hint: skipHint,
    });
  }
  if (phaseReply.reply.finalized) return release(eventsOf(registration, phaseReply));
  const requeue = phaseReply.reply.resyncAfter ?? defaultFinalizeRetry;
  const problem = {
    status: 'Unknown',
    reason: 'FINALIZING',
    message: `hook of registration ${registration.name}, finalize: the cleanup has not finished (${skipHint})`,
    retry: 'never',
  } as const;
  return {
    ...finishCycle({
      snapshot,
      phaseReplies: [phaseReply],
      outcome: 'waiting',
      atMost: min(requeue, left),
      problem,
    }),
    events: [],
  };
}

/** When a hook that has not finished is called again, unless its reply gives a time. */
const defaultFinalizeRetry = seconds(30);

const min = (one: Millis, other: Millis | undefined): Millis => millis(Math.min(one, other ?? Infinity));

/** The rest of finalizeTimeout; undefined without one. */
function timeLeft({ registration, instance, now }: InstanceSnapshot): Millis | undefined {
  const limit = registration.hook?.finalizeTimeout;
  const since = parseTime(textAt(instance, 'metadata', 'deletionTimestamp') ?? '');
  return limit === undefined || since === undefined ? undefined : millis(since + limit - now);
}

const timeoutEvent = ({ registration }: InstanceSnapshot): InstanceEvent =>
  warning(
    'FinalizeTimeout',
    `hook of registration ${registration.name}, finalize: the hook did not finish within ${formatDuration(registration.hook?.finalizeTimeout ?? millis(0))}, so the instance is deleted`,
  );

/** Every message about a blocked deletion contains the remedy. */
const skipHint = `the annotation ${skipFinalizeAnnotation}=true deletes it without calling the hook`;
const blocked = warning(
  'DeletionBlocked',
  `the finalizer ${finalizer} stays until the hook finishes finalize; ${skipHint}`,
);
