import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { HookReply } from '#registrations/kinds/reply.ts';
import { hookVariables } from './apply-reply.ts';
import { shorten } from '#base/text.ts';
import type { InstanceEvent, InstanceSnapshot } from './cycle.ts';
import { undeclaredConditions, type ReconcileProblem } from './instance-status.ts';
import { judgeAnswer, type HookFault, type HookReason } from './judge-answer.ts';
import type { Registration } from '#registrations/model/registration.ts';

/** The reply of the hook in a phase of this reconciliation. */
export type PhaseReply = {
  readonly phase: HookPhase;
  readonly reply: HookReply;
  readonly fault: HookFault | undefined;
};

/** Undefined when the hook was not called in this phase yet. */
export function phaseReplyOf(snapshot: InstanceSnapshot, phase: HookPhase): PhaseReply | undefined {
  const answer = snapshot.answers[phase];
  if (answer === undefined) return undefined;
  const strict = snapshot.registration.hook?.strict ?? false;
  return { phase, ...judgeAnswer(answer, { phase, strict, now: snapshot.now }) };
}

export const hasPhase = ({ hook }: Registration, phase: HookPhase): boolean =>
  hook?.capabilities.includes(phase) ?? false;

/** Faults that do not go away by themselves: the condition is False instead of Unknown. */
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

/** The events about a reply. */
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
      : [warning('HookVariableIgnored', `${at}: ${briefly(ignored)} ignored: not in addEnvsFromHook`)]),
    ...(undeclared.length === 0
      ? []
      : [
          warning(
            'HookConditionIgnored',
            `${at}: condition ${briefly(undeclared)} ignored: not in conditionsFromHook`,
          ),
        ]),
    ...(reply.unknown.length === 0
      ? []
      : [warning('HookReplyUnknown', `${at}: the reply has unknown members: ${briefly(reply.unknown)}`)]),
  ];
}

/** Kubernetes limits messages of events to 1,024 characters. */
const longestPart = 700;
const briefly = (names: readonly string[]): string => shorten(names.join(', '), longestPart);

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
        : 'the instance is deleted anyway'
      : halt
        ? 'nothing is applied'
        : 'its changes are ignored';
  const later = permanent ? 'the hook is called again when something changes' : 'the hook is called again';
  const end = phase === 'finalize' && !halt ? now : `${now}, and ${later}`;
  return warning('HookFailed', `${at}: ${shorten(message, longestPart)} (${end})`);
}
