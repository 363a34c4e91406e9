import { formatMicroTime, type Instant, type Millis } from '#base/time.ts';
import type { HookAnswer } from '#registrations/decide/cycle.ts';
import { shownText } from '#registrations/decide/shown-text.ts';

/** A call of a hook about one instance. */
export type MadeCall = {
  readonly at: Instant;
  readonly phase: string;
  readonly url: string;
  /** The body of the request, as it was sent. */
  readonly request: string;
  readonly answer: HookAnswer;
  readonly latency: Millis;
  /** Masks the secrets of the call. */
  readonly hide: (text: string) => string;
};

/** The last call about an instance as readers see it: without secrets, and only the beginning of long texts. */
export type ShownCall = {
  readonly time: string;
  readonly phase: string;
  readonly url: string;
  readonly request: string;
  readonly latencyMillis: number;
  /** The HTTP status; 0 without a reply. */
  readonly status: number;
  /** The body of the reply, or why there is none. */
  readonly reply: string;
};

/** Characters of requests and replies that are kept in memory, of all instances together. */
const usualRoom = 4 * 1024 * 1024;

/** The last call of the hook about each instance. The oldest are dropped when the texts take too much room. */
export class LastCalls {
  readonly #room: number;
  readonly #calls = new Map<string, MadeCall>();
  #size = 0;

  constructor(room: number = usualRoom) {
    this.#room = room;
  }

  keep(registration: string, instance: string, call: MadeCall): void {
    const key = keyOf(registration, instance);
    this.#drop(key);
    this.#calls.set(key, call);
    this.#size += sizeOf(call);
    for (const oldest of this.#calls.keys()) {
      if (this.#size <= this.#room) return;
      this.#drop(oldest);
    }
  }

  find(registration: string, instance: string): ShownCall | undefined {
    const call = this.#calls.get(keyOf(registration, instance));
    return call === undefined ? undefined : shownCall(call);
  }

  #drop(key: string): void {
    const call = this.#calls.get(key);
    if (call === undefined) return;
    this.#calls.delete(key);
    this.#size -= sizeOf(call);
  }
}

/** Keeps the calls; without it they are not kept. */
export type WithLastCalls = { readonly calls?: LastCalls | undefined };

const keyOf = (registration: string, instance: string): string => `${registration} ${instance}`;

const sizeOf = ({ request, answer }: MadeCall): number =>
  request.length + (answer.type === 'answer' ? answer.body.length : answer.message.length) + 200;

function shownCall({ at, phase, url, request, answer, latency, hide }: MadeCall): ShownCall {
  const shown = (text: string): string => shownText(hide(text));
  return {
    time: formatMicroTime(at),
    phase,
    url: shown(url),
    request: shown(request),
    latencyMillis: Math.round(latency),
    status: answer.type === 'answer' ? answer.status : 0,
    reply: shown(answer.type === 'answer' ? answer.body : answer.message),
  };
}
