import { stat } from 'node:fs/promises';
import { printJson } from '#base/json-text.ts';
import type { Clock } from '#base/time.ts';
import type { ObjectLogRequest, LogResource } from '#command/logs/log-resource.ts';
import type { ApiResponse } from '#kube/http.ts';
import { ApiError, badRequest } from '#kube/status.ts';
import { clusters } from '#machines/kinds/resources.ts';
import { byteRange } from './byte-range.ts';
import { followOutput } from './follow-output.ts';
import { keptOutputs, type StoredOutput, type WantedOutputs } from './output-list.ts';
import { lineAfter, readPiece, startOfTail } from './read-pieces.ts';
import type { ScriptOutputs } from './script-outputs.ts';

type ClusterLogDeps = { readonly outputs: ScriptOutputs; readonly clock: Clock };

/**
 * The log of a Cluster: a list of the outputs of its scripts, or with `node` and `step` one output, in part (Range) or
 * followed while it grows (`follow=true`).
 */
export const clusterLog = (deps: ClusterLogDeps): LogResource => ({
  resource: clusters,
  async serve(request) {
    const { name, query } = request;
    const kept = keptOutputs(deps.outputs, name, wantedIn(query));
    if (query.get('node') === null || query.get('step') === null) return listAnswer(name, kept);
    const last = kept.at(-1);
    if (last === undefined) throw notKept(name, query);
    return outputAnswer(deps, request, last);
  },
});

function wantedIn(query: URLSearchParams): WantedOutputs {
  const text = (key: string): string | undefined => query.get(key) ?? undefined;
  return {
    operations: query.getAll('operation'),
    node: text('node'),
    step: text('step'),
    attempt: countIn(query, 'attempt'),
  };
}

function countIn(query: URLSearchParams, key: string): number | undefined {
  const text = query.get(key);
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badRequest(`${key}=${text} is not a number`);
}

const listAnswer = (cluster: string, kept: readonly StoredOutput[]): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: { type: 'text', text: printJson({ cluster, outputs: kept.map((each) => ({ ...each })) }) },
});

async function outputAnswer(
  { outputs, clock }: ClusterLogDeps,
  request: ObjectLogRequest,
  output: StoredOutput,
): Promise<ApiResponse> {
  const place = { cluster: request.name, ...output };
  const path = outputs.pathOf(place);
  const from = await placeIn(path, request);
  const { offset } = from;
  const about = { 'boathook-operation': output.operation, 'boathook-attempt': String(output.attempt) };
  if (request.query.get('follow') !== 'true') return pieceAnswer(path, from, about);
  const isOpen = (): boolean => outputs.isOpen(place);
  const pieces = followOutput({ path, offset, isOpen, clock, signal: request.signal });
  async function* lines(): AsyncGenerator<string> {
    for await (const piece of pieces) yield `${printJson({ ...piece })}\n`;
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson', ...about },
    body: { type: 'stream', stream: lines(), cut: new AbortController().signal },
  };
}

type Place = {
  readonly offset: number;
  readonly end: number | undefined;
  /** The last lines, of which there may be none. */
  readonly isTail: boolean;
};

async function placeIn(path: string, { headers, query }: ObjectLogRequest): Promise<Place> {
  const range = byteRange(headers['range']);
  if (range === 'invalid') throw badRequest('give one range of bytes, such as Range: bytes=0-1023');
  const tail = countIn(query, 'tailLines');
  if (tail !== undefined) return { offset: await startOfTail(path, tail), end: undefined, isTail: true };
  if (range === undefined) return { offset: 0, end: undefined, isTail: false };
  if (range.type === 'from')
    return {
      offset: range.first,
      end: range.last === undefined ? undefined : range.last + 1,
      isTail: false,
    };
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  return { offset: await lineAfter(path, Math.max(0, size - range.count)), end: undefined, isTail: true };
}

/** One piece, and in Content-Range which: a longer output is read with several requests. */
async function pieceAnswer(
  path: string,
  { offset, end, isTail }: Place,
  about: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  const piece = await readPiece(path, { offset, ...(end === undefined ? {} : { end }) });
  const { next = 0, size = 0, text = '' } = piece ?? {};
  const isAll = offset === 0 && next >= size;
  const range = next > offset ? `bytes ${offset}-${next - 1}/${size}` : `bytes */${size}`;
  const nothing = isTail ? 200 : 416;
  return {
    status: isAll ? 200 : next > offset ? 206 : nothing,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...(isAll ? {} : { 'content-range': range }),
      ...about,
    },
    body: { type: 'text', text },
  };
}

const notKept = (cluster: string, query: URLSearchParams): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: `the output of ${query.get('step') ?? ''} on ${query.get('node') ?? ''} of Cluster ${cluster} is not kept here: it was removed with its operation, or another controller followed the script`,
    details: { name: cluster, kind: clusters.plural, group: clusters.group },
  });
