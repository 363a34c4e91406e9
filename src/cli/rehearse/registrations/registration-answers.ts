import { at, isArray, isObject, numberAt, textAt, type Json } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import type { Outgoing, OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { readyAnswer } from '#edge/outgoing/ready-answer.ts';
import { readText } from '#command/read-text.ts';
import { replaying, repliesIn } from '#hooks/cli/fixture.ts';
import type { RehearsedAnswer } from '#cli/rehearse/hook-answers.ts';
import { hookFlagAnswers } from '#cli/rehearse/hook-answer-flag.ts';
import { phases } from '#registrations/kinds/hook.ts';

/** What the hook of a registration replies; gates take the same. */
export type RegistrationAnswer =
  | RehearsedAnswer
  /** A reply for each phase by its name. */
  | { readonly type: 'phases'; readonly replies: Readonly<Record<string, Json | undefined>> };

export const answersOf = (given: readonly string[]): ReadonlyMap<string, RegistrationAnswer> =>
  hookFlagAnswers<RegistrationAnswer>(given, {
    named: { what: 'NAME', example: 'kuard' },
    readFile: repliesOfFile,
  });

function repliesOfFile(path: string): RegistrationAnswer {
  const content = readText(path);
  const replies = parsed(content);
  if (isObject(replies) && !isArray(at(replies, 'replies')) && phases.some((phase) => phase in replies))
    return { type: 'phases', replies };
  return { type: 'recorded', replies: repliesIn(content, path) };
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
