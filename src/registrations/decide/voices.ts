import type { Phase } from '#registrations/kinds/hook.ts';
import type { Reply } from '#registrations/kinds/reply.ts';
import { hookVariables } from './apply-reply.ts';
import { shorten as cut } from '#base/text.ts';
import type { CycleFacts } from './cycle.ts';
import { undeclaredConditions, type Trouble } from './instance-status.ts';
import { judgeAnswer, type HookFault, type HookReason } from './judge-answer.ts';
import type { Registration } from './registration.ts';
import type { Said } from '#releases/decide/act.ts';

/** What the hook said in a phase of this reconciliation. */
export type Voice = {
  readonly phase: Phase;
  readonly reply: Reply;
  readonly fault: HookFault | undefined;
};

/** The voice of a phase; undefined when the hook was not asked so far. */
export function voiceOf(facts: CycleFacts, phase: Phase): Voice | undefined {
  const answer = facts.answers[phase];
  if (answer === undefined) return undefined;
  const strict = facts.registration.hook?.strict ?? false;
  return { phase, ...judgeAnswer(answer, { phase, strict, now: facts.now }) };
}

export const isAsked = ({ hook }: Registration, phase: Phase): boolean =>
  hook?.capabilities.includes(phase) ?? false;

/** Faults that no waiting will mend, or of which it is plain whose they are. */
const plainFaults: ReadonlySet<HookReason> = new Set([
  'HOOKPERMANENT',
  'REPLYINVALID',
  'PATCHINVALID',
  'PATCHREJECTED',
]);

export function troubleOf({ name }: Registration, phase: Phase, fault: HookFault): Trouble {
  const status = plainFaults.has(fault.reason) ? 'False' : 'Unknown';
  return {
    status,
    reason: fault.reason,
    message: `hook of registration ${name}, ${phase}: ${fault.message}`,
  };
}

/** What people should know of a voice. */
export function eventsOf(registration: Registration, { phase, reply, fault }: Voice): readonly Said[] {
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

export const warning = (reason: string, message: string): Said => ({ type: 'Warning', reason, message });

function faultEvent(at: string, phase: Phase, { message, permanent, halt }: HookFault): Said {
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
