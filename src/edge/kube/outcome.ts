import { isObject, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { KubeObject } from '#kube/object.ts';
import type { TransportResponse } from './transport.ts';
import { Unavailable } from './unavailable.ts';

export type RefusalType =
  'not-found' | 'exists' | 'conflict' | 'invalid' | 'gone' | 'forbidden' | 'unauthorized' | 'refused';

/** The server refused the request; a retry would be refused too. */
export type Refusal = {
  readonly type: RefusalType;
  readonly code: number;
  readonly message: string;
  /** The whole Status, for its details; empty when the response has none. */
  readonly status: JsonObject;
};

export type Outcome = { readonly type: 'ok'; readonly object: KubeObject } | Refusal;

const byReason: Readonly<Record<string, RefusalType>> = { AlreadyExists: 'exists' };
const byCode: Readonly<Record<number, RefusalType>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
  422: 'invalid',
};

/** Reads a response. Throws `Unavailable` on a server error, or when the response is not from an API server. */
export async function outcomeOf(response: TransportResponse): Promise<Outcome> {
  const text = await response.text();
  const json = parse(text);
  if (response.status >= 400) return refusalOf(response.status, json ?? text);
  if (json === undefined)
    throw new Unavailable(`The server answered ${response.status} with something that is not JSON.`);
  return { type: 'ok', object: json };
}

/** The refusal in a Status, or in a plain text. */
function refusalOf(code: number, answer: JsonObject | string): Refusal {
  const status = typeof answer === 'string' ? {} : answer;
  const said = typeof answer === 'string' ? answer.trim().slice(0, 200) : textAt(answer, 'message');
  const message = said || `the server answered ${code}`;
  if (code === 429 || code >= 500) throw new Unavailable(`The server could not answer (${code}): ${message}`);
  return {
    type: byReason[textAt(status, 'reason') ?? ''] ?? byCode[code] ?? 'refused',
    code,
    message,
    status,
  };
}

/** The refusal that an ERROR event of a watch carries. */
export const eventRefusal = (status: JsonObject): Refusal =>
  refusalOf(numberAt(status, 'code') ?? 500, status);

function parse(text: string): JsonObject | undefined {
  try {
    const json = parseJson(text);
    return isObject(json) ? json : undefined;
  } catch {
    // Proxies respond with HTML; the caller reports that.
    return undefined;
  }
}
