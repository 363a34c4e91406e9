import type { Evidence } from '#hooks/kinds/hook-run.ts';
import { isArray, isNumber, isObject, type Json, type MutableJsonObject } from '#base/json.ts';
import { putMember } from '#base/put-member.ts';
import { shorten } from '#base/text.ts';
import type { OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { fieldMatcher, hider, redactUrls } from './redact.ts';
import type { Secrets } from './secrets.ts';

/** Removes the secrets of one call from everything that is stored or shown. */
export type Witness = {
  /** For messages: also masks secrets in URLs. */
  readonly text: (text: string) => string;
  /** For texts of the server: masks only the secrets of the call. */
  readonly hide: (text: string) => string;
  json(json: Json): Json;
  evidence(request: string, answer?: OutgoingAnswer, shownBody?: string): Evidence;
};

export function witnessOf({ used, fields }: Pick<Secrets, 'used' | 'fields'>): Witness {
  const hide = hider(used, fields);
  const isField = fieldMatcher(fields);
  const text = (given: string): string => hide(redactUrls(given));
  return {
    text,
    hide,
    json: (json) => (used.length + fields.length === 0 ? json : hiddenInside(json, { hide, isField }, '')),
    evidence(request, answer, shownBody) {
      const line = cut(text(request), longestRequest);
      if (answer === undefined) return { request: line };
      const seen = { request: line, latencyMs: Math.round(answer.latency) };
      if (answer.type === 'failed') return seen;
      const body = cut(hide(shownBody ?? answer.body), longestBody);
      return { ...seen, status: answer.status, ...(body === '' ? {} : { body }) };
    },
  };
}

type Masks = {
  readonly hide: (text: string) => string;
  readonly isField: (name: string, value: string) => boolean;
};

/** A number is masked only as a whole. `name`: the member that contains the value. */
function hiddenInside(json: Json, masks: Masks, name: string): Json {
  if (typeof json === 'string') return masks.isField(name, json) ? '***' : masks.hide(json);
  if (isNumber(json))
    return masks.isField(name, String(json)) || masks.hide(String(json)) === '***' ? '***' : json;
  if (isArray(json)) return json.map((item) => hiddenInside(item, masks, name));
  if (!isObject(json)) return json;
  const hidden: MutableJsonObject = {};
  for (const [key, item] of Object.entries(json))
    putMember(hidden, masks.hide(key), hiddenInside(item, masks, key));
  return hidden;
}

// A status keeps ten measurements of each metric, and there can be tens of thousands of runs.
const longestRequest = 1024;
const longestBody = 512;
const longestValue = 1024;

export const shortValue = (text: string): string => cut(text, longestValue);

/** The beginning of a text, without control characters that a terminal would execute. */
export const cut = (text: string, longest: number): string =>
  shorten(
    text
      .slice(0, longest + 1)
      .toWellFormed()
      .replaceAll(controls, ' '),
    longest,
  );

const controls = /(?![\t\n])\p{Cc}/gu;
