import type { JsonObject } from '#base/json.ts';
import { seconds, type Clock } from '#base/time.ts';
import type { Outgoing, OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { readyAnswer } from '#edge/outgoing/ready-answer.ts';
import { idempotencyHeader } from '#hooks/providers/web/idempotency-key.ts';
import type { HookBehaviour } from './plan-happenings.ts';

/** A call that reached the service. */
export type HookCall = {
  readonly namespace: string;
  readonly key: string;
  readonly behaviour: HookBehaviour;
};

/** The hook services of all namespaces: URLs have the namespace in their path. */
export class HookService {
  readonly behaviours = new Map<string, HookBehaviour>();
  calls = 0;
  readonly #clock: Clock;
  readonly #note: (call: HookCall) => void;

  constructor(clock: Clock, note: (call: HookCall) => void) {
    this.#clock = clock;
    this.#note = note;
  }

  readonly outgoing: Outgoing = async ({ url, timeout, headers }, signal) => {
    const namespace = url.slice(url.lastIndexOf('/') + 1);
    const behaviour = this.behaviours.get(namespace) ?? 'good';
    this.calls += 1;
    const key = headers[idempotencyHeader] ?? '';
    this.#note({ namespace, key, behaviour });
    if (behaviour === 'none') {
      await this.#clock.sleep(timeout, signal);
      return { type: 'failed', why: 'timeout', message: 'no answer in time', latency: timeout };
    }
    if (behaviour === 'slow') await this.#clock.sleep(seconds(1.2), signal);
    if (behaviour === 'broken') return reply(500, { error: 'x' });
    return reply(200, { age: behaviour === 'bad' ? 90 : 20 });
  };
}

const reply = (status: number, body: JsonObject): OutgoingAnswer => readyAnswer(status, JSON.stringify(body));
