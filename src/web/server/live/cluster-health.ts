import { formatTime, seconds, type Clock, type Instant, type Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { StreamMessage } from '#web/wire/stream.ts';

export type ConnectionMessage = Extract<StreamMessage, { readonly type: 'connection' }>;

/** A connection that is back within this time was never lost for a user. */
const patience = seconds(1);

/** How often a lost server is asked while somebody looks. */
const betweenQuestions = seconds(2);

export const isRefusal = (answer: object): answer is Refusal => 'code' in answer;

type HealthDeps = {
  readonly clock: Clock;
  /** The cluster does not accept the credentials any more. */
  readonly onUnauthorized: (message: string) => void;
};

/** Whether the requests of an identity reach the cluster. */
export class ClusterHealth {
  readonly #deps: HealthDeps;
  readonly #listeners = new Set<() => void>();
  #lastAnswer: Instant;
  #lost: { readonly message: string; readonly cancel: () => void } | undefined;
  #shown: ConnectionMessage;
  #ask: ((signal: AbortSignal) => Promise<unknown>) | undefined;

  constructor(deps: HealthDeps) {
    this.#deps = deps;
    this.#lastAnswer = deps.clock.now();
    this.#shown = { type: 'connection', isUp: true, since: formatTime(this.#lastAnswer), message: '' };
  }

  get connection(): ConnectionMessage {
    return this.#shown;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#lost !== undefined && !this.#shown.isUp && this.#listeners.size === 1)
      this.#askLater(this.#lost.message, patience);
    return () => void this.#listeners.delete(listener);
  }

  /** Something came from the cluster. */
  answered(): void {
    this.#lastAnswer = this.#deps.clock.now();
    this.#lost?.cancel();
    this.#lost = undefined;
    if (!this.#shown.isUp) this.#show(true, '');
  }

  refused({ type, message }: Pick<Refusal, 'type' | 'message'>): void {
    this.answered();
    if (type === 'unauthorized') this.#deps.onUnauthorized(message);
  }

  failed(error: unknown): void {
    if (!(error instanceof Unavailable) || this.#lost !== undefined) return;
    this.#askLater(error.message, patience);
  }

  #askLater(message: string, span: Millis): void {
    this.#lost = { message, cancel: this.#deps.clock.after(span, () => this.#askAgain(message)) };
  }

  /** A watch that is open again brings nothing until something changes: so the server is asked until it answers. */
  #askAgain(message: string): void {
    const away = (): void => {
      if (this.#lost === undefined) return;
      if (this.#shown.isUp) this.#show(false, `the API server does not answer: ${message}`);
      if (this.#listeners.size > 0) this.#askLater(message, betweenQuestions);
    };
    if (this.#ask === undefined) return away();
    const late = new AbortController();
    const cancel = this.#deps.clock.after(betweenQuestions, () => late.abort());
    this.#ask(late.signal)
      .then(() => this.answered(), away)
      .finally(cancel);
  }

  #show(isUp: boolean, message: string): void {
    this.#shown = { type: 'connection', isUp, since: formatTime(this.#lastAnswer), message };
    for (const listener of this.#listeners) listener();
  }

  /** A client whose answers and failures are noticed. */
  noticing(client: KubeClient): KubeClient {
    const noticed =
      <Given extends readonly unknown[], Answer extends { readonly type: string }>(
        ask: (...given: Given) => Promise<Answer>,
      ) =>
      async (...given: Given): Promise<Answer> => {
        try {
          return this.#noticed(await ask(...given));
        } catch (error) {
          this.failed(error);
          throw error;
        }
      };
    this.#ask = (signal) => client.raw('/version', signal);
    return {
      ...client,
      get: noticed(client.get),
      list: noticed(client.list),
      create: noticed(client.create),
      patch: noticed(client.patch),
      raw: noticed(client.raw),
      pages: (...given) => this.#followed(client.pages(...given)),
      watch: (...given) => this.#followed(client.watch(...given)),
    };
  }

  #noticed<Answer extends { readonly type: string }>(answer: Answer): Answer {
    if (isRefusal(answer)) this.refused(answer);
    else this.answered();
    return answer;
  }

  async *#followed<Answer extends { readonly type: string }>(
    answers: AsyncIterable<Answer>,
  ): AsyncGenerator<Answer> {
    try {
      for await (const answer of answers) yield this.#noticed(answer);
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }
}
