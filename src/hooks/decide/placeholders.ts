import { isArray, isObject, type Json, type MutableJsonObject } from '#base/json.ts';
import { putMember } from '#base/put-member.ts';
import { shorten } from '#base/text.ts';
import { joinUrl, type UrlPart } from './join-url.ts';

export type FillResult<Value = string> =
  { readonly type: 'filled'; readonly value: Value } | { readonly type: 'problem'; readonly message: string };

/** A part of a text: plain text, or an argument. */
export type TextPiece =
  | { readonly type: 'text'; readonly text: string }
  /** `isEncoded`: its value is percent-encoded, for `{{ args.NAME | urlencode }}`. */
  | { readonly type: 'argument'; readonly name: string; readonly isEncoded: boolean };

export type Pieces =
  | { readonly type: 'pieces'; readonly pieces: readonly TextPiece[] }
  | { readonly type: 'problem'; readonly message: string };

type Args = ReadonlyMap<string, string>;

/** Arguments that occur many times could make a text very long. */
const longest = 1_048_576;
const deepest = 256;

/** Replaces `{{ args.NAME }}` by arguments. Placeholders inside a value are not replaced. */
export function fillText(text: string, args: Args): FillResult {
  if (!text.includes('{{')) return { type: 'filled', value: text };
  const taken = takeApart(text);
  if (taken.type === 'problem') return taken;
  let filled = '';
  for (const piece of taken.pieces) {
    const value = valueOf(piece, args);
    if (value === undefined) return unknown(piece, args);
    filled += value;
    if (filled.length > longest) return tooLong;
  }
  return { type: 'filled', value: filled };
}

/** The same for a URL. A value that would change the structure of the URL is encoded or refused. */
export function fillUrl(text: string, args: Args): FillResult {
  const taken = takeApart(text);
  if (taken.type === 'problem') return taken;
  const parts: UrlPart[] = [];
  let length = 0;
  for (const piece of taken.pieces) {
    const value = valueOf(piece, args);
    if (value === undefined) return unknown(piece, args);
    length += value.length;
    if (length > longest) return tooLong;
    parts.push(piece.type === 'text' ? piece : { ...piece, type: 'value', value });
  }
  return joinUrl(parts);
}

/** The same for every string in a JSON value, except keys. */
export function fillJson(json: Json, args: Args): FillResult<Json> {
  return fillInside(json, args, { left: longest, depth: 0 });
}

/** The parts of a text, or why its placeholders are invalid. */
export function takeApart(text: string): Pieces {
  const pieces: TextPiece[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf('{{', position);
    if (open < 0) break;
    const close = text.indexOf('}}', open + 2);
    if (close < 0) return problem(`"${excerpt(text.slice(open))}" has no end: close the placeholder with }}`);
    const tag = text.slice(open + 2, close).trim();
    if (tag === '') return problem('an empty placeholder {{ }}: write {{ args.NAME }}');
    if (!tag.startsWith('args.') || tag === 'args.')
      return problem(`{{ ${excerpt(tag)} }} is not known: write {{ args.NAME }}`);
    if (open > position) pieces.push({ type: 'text', text: text.slice(position, open) });
    pieces.push(argumentOf(tag));
    position = close + 2;
  }
  if (position < text.length) pieces.push({ type: 'text', text: text.slice(position) });
  return { type: 'pieces', pieces };
}

/** `args.NAME` or `args.NAME | urlencode`. */
function argumentOf(tag: string): TextPiece {
  const name = tag.slice('args.'.length);
  const bar = name.lastIndexOf('|');
  const isEncoded = bar >= 0 && name.slice(bar + 1).trim() === 'urlencode';
  return { type: 'argument', name: isEncoded ? name.slice(0, bar).trimEnd() : name, isEncoded };
}

function valueOf(piece: TextPiece, args: Args): string | undefined {
  if (piece.type === 'text') return piece.text;
  const value = args.get(piece.name);
  return piece.isEncoded && value !== undefined ? encodeURIComponent(value.toWellFormed()) : value;
}

type Budget = { left: number; readonly depth: number };

function fillInside(json: Json, args: Args, budget: Budget): FillResult<Json> {
  if (typeof json === 'string') return fillString(json, args, budget);
  if (typeof json !== 'object' || json === null) return { type: 'filled', value: json };
  if (budget.depth >= deepest) return problem(`the value is nested more than ${deepest} levels deep`);
  const inner = { left: budget.left, depth: budget.depth + 1 };
  const filled = isArray(json) ? fillList(json, args, inner) : fillObject(json, args, inner);
  budget.left = inner.left;
  return filled;
}

function fillString(text: string, args: Args, budget: Budget): FillResult<Json> {
  const filled = fillText(text, args);
  if (filled.type === 'problem') return filled;
  budget.left -= filled.value.length;
  return budget.left < 0 ? tooLong : filled;
}

function fillList(list: readonly Json[], args: Args, budget: Budget): FillResult<Json> {
  const value: Json[] = [];
  for (const item of list) {
    const filled = fillInside(item, args, budget);
    if (filled.type === 'problem') return filled;
    value.push(filled.value);
  }
  return { type: 'filled', value };
}

function fillObject(object: Json, args: Args, budget: Budget): FillResult<Json> {
  if (!isObject(object)) return { type: 'filled', value: object };
  const value: MutableJsonObject = {};
  for (const [key, item] of Object.entries(object)) {
    const filled = fillInside(item, args, budget);
    if (filled.type === 'problem') return filled;
    putMember(value, key, filled.value);
  }
  return { type: 'filled', value };
}

function unknown(piece: TextPiece, args: Args): { readonly type: 'problem'; readonly message: string } {
  const name = piece.type === 'argument' ? piece.name : '';
  const known = [...args.keys()];
  const choice = known.length === 0 ? 'there are none' : `there are ${excerpt(known.join(', '))}`;
  return problem(`{{ args.${excerpt(name)} }} names no argument: ${choice}`);
}

const problem = (message: string): { readonly type: 'problem'; readonly message: string } => ({
  type: 'problem',
  message,
});
const tooLong = problem(`filled in, the text is longer than ${longest} characters`);
const excerpt = (text: string): string => shorten(text, 80);
