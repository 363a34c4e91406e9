import type { Json } from '#base/json.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { queryOf, type QueryValue } from './resource.ts';
import type { Transport } from './transport.ts';

export type Question = {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: Json;
  readonly contentType?: string;
};

/** One JSON request and its outcome. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Outcome>;

export function askThrough(transport: Transport, headers: Readonly<Record<string, string>>): Ask {
  return async ({ method, path, query = {}, body, contentType = 'application/json' }, signal) => {
    const sent = { method, path, query: queryOf(query), signal };
    const response = await (body === undefined
      ? transport({ ...sent, headers })
      : transport({
          ...sent,
          headers: { ...headers, 'content-type': contentType },
          body: JSON.stringify(body),
        }));
    return outcomeOf(response);
  };
}
