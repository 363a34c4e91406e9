import { at, isArray, isObject, numberAt, type Json } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { millis } from '#base/time.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import { ExitError } from '#command/exit.ts';
import { readText } from '#command/read-text.ts';

/** A recorded reply. */
export type RecordedReply = { readonly status: number; readonly body: string; readonly latency: number };

/** The replies of a fixture: a list of them, or one whose body is the whole file. */
export const readReplies = (filename: string): readonly RecordedReply[] =>
  repliesIn(readText(filename), filename);

/** The same for a text. `filename`: how messages name it. */
export function repliesIn(text: string, filename: string): readonly RecordedReply[] {
  const replies = at(parsed(text), 'replies');
  if (!isArray(replies)) return [{ status: 200, body: text, latency: 0 }];
  if (replies.length === 0) throw new ExitError(2, `${filename}: replies is empty: record one at least`);
  return replies.map((reply, i) => {
    const status = numberAt(reply, 'status') ?? 200;
    const body = at(reply, 'body');
    if (!isObject(reply) || body === undefined || !Number.isInteger(status) || status < 100 || status > 599)
      throw new ExitError(2, `${filename}: replies[${i}] needs a body, and a status from 100 to 599 if any`);
    return { status, body: textOf(body), latency: Math.max(0, numberAt(reply, 'latencyMs') ?? 0) };
  });
}

/** Replays the replies in order; the last is repeated. */
export function replaying(replies: readonly RecordedReply[]): Outgoing {
  let next = 0;
  return async () => {
    const reply = replies[Math.min(next, replies.length - 1)] ?? { status: 200, body: '', latency: 0 };
    next += 1;
    const { status, body, latency } = reply;
    const headers = { 'content-type': 'application/json' };
    return { type: 'answer', status, headers, body, latency: millis(latency) };
  };
}

const textOf = (body: Json): string => (typeof body === 'string' ? body : printJson(body));

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    // A reply can be any text.
    return undefined;
  }
}
