import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { HookReply } from '#registrations/kinds/reply.ts';
import { hookVariables } from './apply-reply.ts';
import { shorten as cut } from '#base/text.ts';
import type { InstanceEvent, InstanceSnapshot } from './cycle.ts';
import { undeclaredConditions, type ReconcileProblem } from './instance-status.ts';
import { judgeAnswer, type HookFault, type HookReason } from './judge-answer.ts';
import type { Registration } from '#registrations/model/registration.ts';

/** What the hook said in a phase of this reconciliation. */
export type PhaseReply = {
  readonly phase: HookPhase;
  readonly reply: HookReply;
  readonly fault: HookFault | undefined;
};

/** The voice of a phase; undefined when the hook was not asked so far. */
export function phaseReplyOf(snapshot: InstanceSnapshot, phase: HookPhase): PhaseReply | undefined {
  const answer = snapshot.answers[phase];
  if (answer === undefined) return undefined;
  const strict = snapshot.registration.hook?.strict ?? false;
  return { phase, ...judgeAnswer(answer, { phase, strict, now: snapshot.now }) };
}

export const hasPhase = ({ hook }: Registration, phase: HookPhase): boolean =>
  hook?.capabilities.includes(phase) ?? false;

/** Faults that no waiting will mend, or of which it is plain whose they are. */
const plainFaults: ReadonlySet<HookReason> = new Set([
  'HOOKPERMANENT',
  'REPLYINVALID',
  'PATCHINVALID',
  'PATCHREJECTED',
]);

export function problemOf({ name }: Registration, phase: HookPhase, fault: HookFault): ReconcileProblem {
  const status = plainFaults.has(fault.reason) ? 'False' : 'Unknown';
  return {
    status,
    reason: fault.reason,
    message: `hook of registration ${name}, ${phase}: ${fault.message}`,
  };
}

/** What people should know of a voice. */
export function eventsOf(
  registration: Registration,
  { phase, reply, fault }: PhaseReply,
): readonly InstanceEvent[] {
  const at = `hook of registration ${registration.name}, ${phase}`;
  const { ignored } = hookVariables(registration, reply);
  const undeclared = undeclaredConditions(registration, reply);
  return [
    ...(fault === undefined ? [] : [faultEvent(at, phase, fault)]),
    ...(ignored.length === 0
      ? []
      : [warning('HookVariableIgnored', `${at}: ${briefly(ignored)} not taken: addEnvsFromHook lacks it`)]),
    ...(undeclared.length === 0
      ? []
      : [
          warning(
            'HookConditionIgnored',
            `${at}: condition ${briefly(undeclared)} not taken: conditionsFromHook lacks it`,
          ),
        ]),
    ...(reply.unknown.length === 0
      ? []
      : [warning('HookReplyUnknown', `${at}: the reply has unknown members: ${briefly(reply.unknown)}`)]),
  ];
}

/** An event is no place for a whole reply, and others than us cut it at 1,024 characters. */
const longestPart = 700;
const briefly = (names: readonly string[]): string => cut(names.join(', '), longestPart);

export const warning = (reason: string, message: string): InstanceEvent => ({
  type: 'Warning',
  reason,
  message,
});

function faultEvent(at: string, phase: HookPhase, { message, permanent, halt }: HookFault): InstanceEvent {
  const now =
    phase === 'finalize'
      ? halt
        ? 'the instance stays'
        : 'the instance goes all the same'
      : halt
        ? 'nothing is applied'
        : 'its changes are left out';
  const later = permanent ? 'it is not asked again until something changes' : 'it is asked again';
  const end = phase === 'finalize' && !halt ? now : `${now}, and ${later}`;
  return warning('HookFailed', `${at}: ${cut(message, longestPart)} (${end})`);
}
