import type { SizedMap } from '#base/sized-map.ts';
import type { Instant, Millis } from '#base/time.ts';
import type { HookAnswer } from '#registrations/decide/cycle.ts';

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

/** The last call about each instance. */
export type LastCalls = SizedMap<MadeCall>;

/** Keeps the last calls; without it they are not kept. */
export type WithLastCalls = { readonly calls?: LastCalls | undefined };

const keyOf = (registration: string, instance: string): string => `${registration} ${instance}`;

/** What else of a call is in memory. */
const margin = 200;

export function keepCall(calls: LastCalls, registration: string, instance: string, call: MadeCall): void {
  const { answer } = call;
  const reply = answer.type === 'answer' ? answer.body : answer.message;
  calls.set(keyOf(registration, instance), call, call.request.length + reply.length + margin);
}

export const lastCall = (calls: LastCalls, registration: string, instance: string): MadeCall | undefined =>
  calls.get(keyOf(registration, instance));
