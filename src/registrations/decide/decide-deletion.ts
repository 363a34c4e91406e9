import { listAt, textAt } from '#base/json.ts';
import { millis, parseTime, seconds, type Millis } from '#base/time.ts';
import { formatDuration } from '#base/duration.ts';
import type { EventNote as Said } from '#releases/decide/model/action.ts';
import { annotationsOf } from '#kube/object.ts';
import type { CycleFacts, Step } from './cycle.ts';
import { finishCycle, rest } from './finish-cycle.ts';
import { finalizer, pausedAnnotation, skipFinalizeAnnotation } from './registration.ts';
import { callStep } from './shape-children.ts';
import { eventsOf, isAsked, voiceOf, warning, type Voice } from './voices.ts';

/** What is done for an instance that is being deleted (§6.6). Its children go by their owner references. */
export function decideDeletion(facts: CycleFacts): Step {
  const { registration, instance, memory } = facts;
  const finalizers = listAt(instance, 'metadata', 'finalizers');
  // Others may keep the object for long: that is not ours to ask about (D-12).
  if (!finalizers.includes(finalizer)) return rest(memory, 'done');
  if (annotationsOf(instance)[skipFinalizeAnnotation] === 'true')
    return release([
      warning('FinalizeSkipped', `the annotation ${skipFinalizeAnnotation} lets it go unasked`),
    ]);
  if (annotationsOf(instance)[pausedAnnotation] === 'true') return heldByPause(facts);
  if (!isAsked(registration, 'finalize')) return release([]);
  // The garbage collector has the children first, or lets go of them.
  if (finalizers.some((each) => each === 'foregroundDeletion' || each === 'orphan'))
    return rest(memory, 'waiting');
  const left = timeLeft(facts);
  if (left !== undefined && left <= 0) return release([overdue(facts)]);
  const voice = voiceOf(facts, 'finalize');
  if (voice === undefined) return callStep(facts, 'finalize', undefined);
  return heard(facts, voice, left);
}

/** Whoever deletes is often not the one who paused: what holds it is said, and how to end it. */
const heldByPause = (facts: CycleFacts): Step =>
  finishCycle({
    facts,
    voices: [],
    outcome: 'paused',
    trouble: {
      status: 'Unknown',
      reason: 'PAUSED',
      message: `the annotation ${pausedAnnotation} keeps it from being deleted: remove it to go on, or add ${skipFinalizeAnnotation}=true to let the instance go unasked`,
      retry: 'never',
    },
  });

const release = (events: readonly Said[]): Step => ({ type: 'remove-finalizer', events });

function heard(facts: CycleFacts, voice: Voice, left: Millis | undefined): Step {
  const { registration } = facts;
  if (voice.fault !== undefined) {
    if (!voice.fault.halt) return release(eventsOf(registration, voice));
    return finishCycle({
      facts,
      voices: [voice],
      outcome: 'failed',
      atMost: left,
      events: [blocked],
      hint: wayOut,
    });
  }
  if (voice.reply.finalized) return release(eventsOf(registration, voice));
  const again = voice.reply.resyncAfter ?? usualPatience;
  const trouble = {
    status: 'Unknown',
    reason: 'FINALIZING',
    message: `hook of registration ${registration.name}, finalize: it has not finished cleaning up (${wayOut})`,
    retry: 'never',
  } as const;
  return {
    ...finishCycle({ facts, voices: [voice], outcome: 'waiting', atMost: min(again, left), trouble }),
    events: [],
  };
}

/** How long a hook that is still cleaning up is left alone, unless it says itself. */
const usualPatience = seconds(30);

const min = (one: Millis, other: Millis | undefined): Millis => millis(Math.min(one, other ?? Infinity));

/** Of the time that the registration gives its hook; undefined when it gives it all the time in the world. */
function timeLeft({ registration, instance, now }: CycleFacts): Millis | undefined {
  const limit = registration.hook?.finalizeTimeout;
  const since = parseTime(textAt(instance, 'metadata', 'deletionTimestamp') ?? '');
  return limit === undefined || since === undefined ? undefined : millis(since + limit - now);
}

const overdue = ({ registration }: CycleFacts): Said =>
  warning(
    'FinalizeTimeout',
    `hook of registration ${registration.name}, finalize: it has not let it go within ${formatDuration(registration.hook?.finalizeTimeout ?? millis(0))}, so it goes`,
  );

/** Whoever waits for a deletion is told how to end it (DEC-11). */
const wayOut = `the annotation ${skipFinalizeAnnotation}=true lets it go unasked`;
const blocked = warning(
  'DeletionBlocked',
  `the finalizer ${finalizer} stays until the hook lets the instance go; ${wayOut}`,
);
