import type { Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { outcomeOf, type Outcome, type Refusal } from './outcome.ts';
import { objectPath, queryOf, type ObjectKey, type QueryValue, type Resource } from '#kube/resource.ts';
import type { Transport } from './transport.ts';

export type JsonRequest = {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: Json;
  readonly contentType?: string;
  /** The Accept header, when not the whole object is needed. */
  readonly accept?: string;
};

/** One JSON request and its outcome. */
export type SendJson = (question: JsonRequest, signal: AbortSignal) => Promise<Outcome>;

export function askThrough(transport: Transport, headers: Readonly<Record<string, string>>): SendJson {
  return async ({ method, path, query = {}, body, contentType = 'application/json', accept }, signal) => {
    const sent = { method, path, query: queryOf(query), signal };
    const wanted = accept === undefined ? headers : { ...headers, accept };
    const response = await (body === undefined
      ? transport({ ...sent, headers: wanted })
      : transport({
          ...sent,
          headers: { ...wanted, 'content-type': contentType },
          body: printJson(body),
        }));
    return outcomeOf(response);
  };
}

export type TextQuestion = {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly subresource: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
};

export type AskText = (
  question: TextQuestion,
  signal: AbortSignal,
) => Promise<{ readonly type: 'ok'; readonly text: string } | Refusal>;

export function textThrough(transport: Transport, headers: Readonly<Record<string, string>>): AskText {
  return async ({ resource, key, subresource, query = {} }, signal) => {
    const path = objectPath(resource, key, subresource);
    const accepts = { ...headers, accept: '*/*' };
    const response = await transport({
      method: 'GET',
      path,
      query: queryOf(query),
      headers: accepts,
      signal,
    });
    if (response.status < 400) return { type: 'ok', text: await response.text() };
    const outcome = await outcomeOf(response);
    return outcome.type === 'ok' ? { type: 'ok', text: '' } : outcome;
  };
}
