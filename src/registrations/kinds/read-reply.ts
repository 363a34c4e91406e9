import { isNumber, isObject, type Json, type JsonObject } from '#base/json.ts';
import { seconds, type Millis } from '#base/time.ts';
import type { HookPhase } from './hook.ts';
import { emptyReply, type ReadReply, type HookReply, type ReplyChildren, type ReplyError } from './reply.ts';
import { readEnvVars } from './reply-env.ts';
import { asObject, asTruth, Malformed, member, readError } from './reply-parts.ts';
import { readPatches } from './reply-patches.ts';
import { mergeStatus, readStatus } from './reply-status.ts';
import { readSafeJson } from './safe-json.ts';

export type ReplyOptions = { readonly phase: HookPhase; readonly strict?: boolean };

/** Decodes the body of a 2xx answer, in any spelling. */
export function readReply(text: string, { phase, strict = false }: ReplyOptions): ReadReply {
  if (text.trim() === '') return { type: 'reply', reply: emptyReply };
  const json = readSafeJson(text);
  if (json.type === 'problem') return malformed(`the reply ${json.message}`);
  if (json.value === null) return { type: 'reply', reply: emptyReply };
  if (!isObject(json.value)) return malformed('the reply must be a JSON object');
  try {
    const reply = phase === 'finalize' ? readFinalize(json.value) : readWhole(json.value);
    const [unknown] = reply.unknown;
    if (strict && unknown !== undefined) return malformed(`the reply has the unknown member ${unknown}`);
    return { type: 'reply', reply };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { type: 'malformed', reason: error.reason, message: error.message };
  }
}

/** The error in the body of another answer: in `error`, or at the top level; undefined when there is none. */
export function readErrorReply(text: string): ReplyError | undefined {
  const json = text.trim() === '' ? undefined : readSafeJson(text);
  if (json?.type !== 'json' || !isObject(json.value)) return undefined;
  try {
    const nested = member(json.value, 'error');
    if (nested !== undefined && isObject(nested)) return readError(nested, 'error');
    return flatMembers.some((name) => member(asObject(json.value, ''), name) !== undefined)
      ? readError(json.value, 'reply')
      : undefined;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return undefined;
  }
}

const flatMembers = ['message', 'permanent', 'permantent', 'continue', 'halt'];

const malformed = (message: string): ReadReply => ({ type: 'malformed', reason: 'REPLYINVALID', message });

const knownMembers: ReadonlySet<string> = new Set([
  'error',
  'patches',
  'envVars',
  'addEnvs',
  'status',
  'object',
  'children',
  'resyncAfterSeconds',
  'finalized',
]);

/** The members that are used in every phase. */
function readCommon(reply: JsonObject): HookReply {
  const error = member(reply, 'error');
  const finalized = member(reply, 'finalized');
  return {
    ...emptyReply,
    error: error === undefined ? undefined : readError(asObject(error, 'error'), 'error'),
    resyncAfter: resyncOf(member(reply, 'resyncAfterSeconds')),
    finalized: finalized === undefined ? true : asTruth(finalized, 'finalized'),
    unknown: Object.keys(reply).filter((name) => !knownMembers.has(name)),
  };
}

/** Nothing is rendered in finalize: children and status in the reply are ignored. */
const readFinalize = readCommon;

function readWhole(reply: JsonObject): HookReply {
  const object = asObject(member(reply, 'object') ?? {}, 'object');
  const status = mergeStatus(
    readStatus(asObject(member(object, 'status') ?? {}, 'object.status'), 'object.status'),
    readStatus(asObject(member(reply, 'status') ?? {}, 'status'), 'status'),
  );
  const common = readCommon(reply);
  const { children, strange } = childrenOf(asObject(member(reply, 'children') ?? {}, 'children'));
  return {
    ...common,
    ...status,
    patches: readPatches(member(reply, 'patches') ?? []),
    envVars: [
      ...readEnvVars(member(reply, 'addEnvs') ?? [], 'addEnvs'),
      ...readEnvVars(member(reply, 'envVars') ?? [], 'envVars'),
    ],
    children,
    unknown: [...common.unknown, ...strange],
  };
}

const longestResync = 86_400;

function resyncOf(value: Json | undefined): Millis | undefined {
  if (value === undefined) return undefined;
  if (!isNumber(value) || value < 0) throw new Malformed('resyncAfterSeconds must be a number of seconds');
  return seconds(Math.min(Number(value), longestResync));
}

const replaceable = ['deployment', 'ksvc', 'service'] as const;

/** Whole children, as later hooks send them; null is an error. */
function childrenOf(given: JsonObject): { children: ReplyChildren; strange: readonly string[] } {
  const known = replaceable.filter((key) => Object.hasOwn(given, key));
  const entries = known.map((key) => [key, asObject(given[key] ?? null, `children.${key}`)] as const);
  const nameless = entries.find(([, child]) => typeof child['kind'] !== 'string');
  if (nameless !== undefined) throw new Malformed(`children.${nameless[0]} has no kind`);
  return {
    children: Object.fromEntries(entries),
    strange: Object.keys(given)
      .filter((key) => !known.some((each) => each === key))
      .map((key) => `children.${key}`),
  };
}
