import { at, isArray, isObject, numberAt, textAt, type Json } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import type { Outgoing, OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { readyAnswer } from '#edge/outgoing/ready-answer.ts';
import { ExitError } from '#command/exit.ts';
import { readText } from '#command/read-text.ts';
import { replaying, repliesIn, type RecordedReply } from '#hooks/cli/fixture.ts';
import type { RehearsedAnswer } from '#cli/rehearse/hook-answers.ts';
import { phases } from '#registrations/kinds/hook.ts';

/** What the hook of a registration replies; gates take the same. */
export type RegistrationAnswer =
  | Exclude<RehearsedAnswer, { type: 'recorded' }>
  | { readonly type: 'recorded'; readonly replies: readonly RecordedReply[] }
  /** A reply for each phase by its name. */
  | { readonly type: 'phases'; readonly replies: Readonly<Record<string, Json | undefined>> };

export function answersOf(given: readonly string[]): ReadonlyMap<string, RegistrationAnswer> {
  const hooks = new Map<string, RegistrationAnswer>();
  for (const text of given) {
    const [, name, answer = ''] = /^([^=\s]+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined)
      throw new ExitError(
        2,
        `--hook ${text} is not NAME=ANSWER, such as kuard=reply.json or kuard=fail-after:3`,
      );
    if (hooks.has(name)) throw new ExitError(2, `--hook: ${name} is given twice`);
    hooks.set(name, answerOf(answer));
  }
  return hooks;
}

function answerOf(text: string): RegistrationAnswer {
  if (text === 'pass') return { type: 'pass' };
  if (text === 'fail') return { type: 'fail-after', calls: 0 };
  const calls = /^fail-after:(\d{1,6})$/.exec(text)?.[1];
  if (calls !== undefined) return { type: 'fail-after', calls: Number(calls) };
  const content = readText(text);
  const replies = parsed(content);
  if (isObject(replies) && !isArray(at(replies, 'replies')) && phases.some((phase) => phase in replies))
    return { type: 'phases', replies };
  return { type: 'recorded', replies: repliesIn(content, text) };
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    // A reply can be any text.
    return undefined;
  }
}

/** A call of the hook of a registration. */
export type RegistrationCall = {
  readonly registration: string;
  readonly instance: string;
  readonly phase: string;
};

export function callOf(body: string | undefined): RegistrationCall {
  const request = parsed(body ?? '') ?? {};
  const [kind, namespace, name] = ['kind', 'namespace', 'name'].map(
    (key) => textAt(request, 'object', key) ?? '',
  );
  return {
    registration: textAt(request, 'registration', 'name') ?? '',
    instance: `${kind} ${namespace}/${name}`,
    phase: textAt(request, 'phase') ?? '',
  };
}

export type ReplySettings = {
  readonly answers: ReadonlyMap<string, RegistrationAnswer>;
  /** Of hooks without an answer. */
  readonly others: Outgoing;
  /** Before the edit no call fails, and none is counted. */
  readonly isEdited: () => boolean;
};

/** Replies of hooks in place of their servers. */
export function rehearsedReplies({ answers, others, isEdited }: ReplySettings): Outgoing {
  const made = new Map([...answers].map(([name, answer]) => [name, repliesOf(answer, isEdited)]));
  return (request, signal) => {
    const { registration } = callOf(request.body);
    return (made.get(registration) ?? others)(request, signal);
  };
}

function repliesOf(answer: RegistrationAnswer, isEdited: () => boolean): Outgoing {
  switch (answer.type) {
    case 'pass':
      return () => Promise.resolve(reply(200, ''));
    case 'fail-after':
      return failAfter(answer.calls, isEdited);
    case 'recorded':
      return replaying(answer.replies);
    case 'phases':
      return ({ body }) => {
        const found = answer.replies[callOf(body).phase];
        return Promise.resolve(
          reply(numberAt(found, 'httpStatus') ?? 200, found === undefined ? '' : printJson(found)),
        );
      };
  }
}

/** The reply that changes nothing. */
export const emptyReply: Outgoing = () => Promise.resolve(reply(200, ''));

const reply = (status: number, body: string): OutgoingAnswer =>
  readyAnswer(status, body, { 'content-type': 'application/json' });

function failAfter(calls: number, isEdited: () => boolean): Outgoing {
  let made = 0;
  return () => {
    if (isEdited()) made += 1;
    return Promise.resolve(made <= calls ? reply(200, '') : reply(500, 'fails, by --hook'));
  };
}
