import { at, isObject, listAt, numberAt, textAt } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { AskLog, LogProblem, LogQuestion } from '#command/logs/log-client.ts';
import { clusters } from '#machines/kinds/resources.ts';
import type { OutputPiece } from './read-pieces.ts';

/** An output that a controller keeps. */
export type ListedOutput = {
  readonly operation: string;
  readonly node: string;
  readonly step: string;
  readonly attempt: number;
  readonly isRunning: boolean;
};

export type WantedList = { readonly operations?: readonly string[]; readonly node?: string | undefined };

export type OutputList = { readonly type: 'listed'; readonly outputs: readonly ListedOutput[] } | LogProblem;

/** The outputs of a Cluster that a controller keeps. */
export async function listOutputs(
  ask: AskLog,
  name: string,
  { operations = [], node }: WantedList,
  signal: AbortSignal,
): Promise<OutputList> {
  const answer = await ask({ resource: clusters, name, query: { operation: operations, node } }, signal);
  if (answer.type !== 'ok') return answer;
  const list = parseJson(await answer.response.text());
  return { type: 'listed', outputs: listAt(list, 'outputs').flatMap((each) => outputOf(each)) };
}

function outputOf(json: Parameters<typeof textAt>[0]): readonly ListedOutput[] {
  const [operation, node, step] = ['operation', 'node', 'step'].map((key) => textAt(json, key));
  const attempt = numberAt(json, 'attempt');
  if (operation === undefined || node === undefined || step === undefined || attempt === undefined) return [];
  return [{ operation, node, step, attempt, isRunning: at(json, 'isRunning') === true }];
}

const questionOf = (
  name: string,
  { operation, node, step, attempt }: Omit<ListedOutput, 'isRunning'>,
): LogQuestion & { readonly query: NonNullable<LogQuestion['query']> } => ({
  resource: clusters,
  name,
  query: { operation, node, step, attempt },
});

export type FollowPlace =
  | { readonly type: 'from'; readonly offset: number }
  | { readonly type: 'last'; readonly bytes: number }
  | { readonly type: 'tail'; readonly lines: number };

/** A followed output: pieces as they come, and at the end whether it is complete. */
export type FollowedPiece = OutputPiece | { readonly end: 'complete' | 'pause' };

export type FollowAnswer =
  { readonly type: 'following'; readonly pieces: AsyncIterable<FollowedPiece> } | LogProblem;

/** Follows an output while its script runs. The pieces throw `Unavailable` when the connection is lost. */
export async function followScript(
  ask: AskLog,
  name: string,
  wanted: { readonly output: Omit<ListedOutput, 'isRunning'>; readonly place: FollowPlace },
  signal: AbortSignal,
): Promise<FollowAnswer> {
  const { output, place } = wanted;
  const question = questionOf(name, output);
  const tailLines = place.type === 'tail' ? place.lines : undefined;
  const answer = await ask(
    { ...question, query: { ...question.query, follow: true, tailLines }, ...rangeOf(place) },
    signal,
  );
  return answer.type === 'ok' ? { type: 'following', pieces: piecesOf(answer.response.lines()) } : answer;
}

function rangeOf(place: FollowPlace): Pick<LogQuestion, 'range'> {
  switch (place.type) {
    case 'from':
      return { range: `bytes=${place.offset}-` };
    case 'last':
      return { range: `bytes=-${place.bytes}` };
    case 'tail':
      return {};
  }
}

async function* piecesOf(lines: AsyncIterable<string>): AsyncGenerator<FollowedPiece> {
  for await (const line of lines) {
    const json = parseJson(line);
    const [offset, next, text] = [numberAt(json, 'offset'), numberAt(json, 'next'), textAt(json, 'text')];
    if (offset !== undefined && next !== undefined && text !== undefined)
      yield { offset, next, size: numberAt(json, 'size') ?? next, text };
    else if (isObject(json)) yield { end: textAt(json, 'end') === 'complete' ? 'complete' : 'pause' };
  }
}

export type ReadAnswer = { readonly type: 'text'; readonly text: string } | LogProblem;

/** The whole output, or its last lines, as it is now. */
export async function readScript(
  ask: AskLog,
  name: string,
  { output, tail }: { readonly output: Omit<ListedOutput, 'isRunning'>; readonly tail: number | undefined },
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const question = questionOf(name, output);
  const texts: string[] = [];
  for (let offset: number | undefined; ;) {
    const tailLines = offset === undefined ? tail : undefined;
    const range = offset === undefined ? {} : { range: `bytes=${offset}-` };
    const answer = await ask({ ...question, query: { ...question.query, tailLines }, ...range }, signal);
    // Nothing is after the last byte.
    if (answer.type === 'failed' && offset !== undefined) break;
    if (answer.type !== 'ok') return answer;
    texts.push(await answer.response.text());
    const [, next, size] = /-(\d+)\/(\d+)$/.exec(answer.response.headers['content-range'] ?? '') ?? [];
    if (next === undefined || Number(next) + 1 >= Number(size)) break;
    offset = Number(next) + 1;
  }
  return { type: 'text', text: texts.join('') };
}
