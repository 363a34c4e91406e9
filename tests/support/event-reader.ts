import { parseJson } from '#base/json-text.ts';
import type { JsonObject } from '#base/json.ts';
import { textAt } from '#base/json.ts';
import type { ApiResponse } from '#kube/http.ts';

export type StoryEvent = { readonly type: string; readonly object: JsonObject };

/** One open watch, read event by event. */
export type EventReader = AsyncDisposable & {
  readonly status: number;
  /** Whether the server gave this reader up as too slow. */
  readonly cut: AbortSignal;
  /** The next event; undefined when the server has ended the stream. */
  next(): Promise<StoryEvent | undefined>;
  /** So many events, as `TYPE name`. */
  names(count: number): Promise<readonly string[]>;
  /** Everything until the server ends the stream. */
  rest(): Promise<readonly StoryEvent[]>;
};

export function followEvents(answer: ApiResponse, leaving: AbortController): EventReader {
  const { body } = answer;
  if (body.type !== 'stream') throw new Error(`a stream was expected, not ${JSON.stringify(body)}`);
  const pieces = body.stream[Symbol.asyncIterator]();
  const due: StoryEvent[] = [];
  const next: EventReader['next'] = async () => {
    while (due.length === 0) {
      const piece = await pieces.next();
      if (piece.done === true) return undefined;
      for (const line of piece.value.split('\n')) if (line !== '') due.push(parseJson(line) as StoryEvent);
    }
    return due.shift();
  };
  return {
    status: answer.status,
    cut: body.cut,
    next,
    async names(count) {
      const found: string[] = [];
      while (found.length < count) {
        const event = await next();
        if (event === undefined) break;
        found.push(nameOf(event));
      }
      return found;
    },
    async rest() {
      const found: StoryEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) found.push(event);
      return found;
    },
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await pieces.return?.();
    },
  };
}

export const nameOf = ({ type, object }: StoryEvent): string =>
  `${type} ${textAt(object, 'metadata', 'name') ?? ''}`.trim();
