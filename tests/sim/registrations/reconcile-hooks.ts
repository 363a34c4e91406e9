import { textAt, type Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { seconds, type Clock, type Instant } from '#base/time.ts';
import type { Outgoing, OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { readyAnswer } from '#edge/outgoing/ready-answer.ts';

/** How the hook treats an instance. */
export type InstanceHookBehaviour = 'good' | 'broken' | 'none' | 'slow';

export type ReconcileCall = { readonly at: Instant; readonly instance: string; readonly phase: string };

/** The hook service of a world. */
export class ReconcileHooks {
  readonly behaviours = new Map<string, InstanceHookBehaviour>();
  readonly calls: ReconcileCall[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  calmDown(): void {
    this.behaviours.clear();
  }

  readonly outgoing: Outgoing = async ({ body = '{}', timeout }, signal) => {
    const request: Json = parseJson(body);
    const instance = textAt(request, 'object', 'name') ?? '';
    const phase = textAt(request, 'phase') ?? '';
    this.calls.push({ at: this.#clock.now(), instance, phase });
    const behaviour = this.behaviours.get(instance) ?? 'good';
    if (behaviour === 'none') {
      await this.#clock.sleep(timeout, signal);
      return { type: 'failed', why: 'timeout', message: 'no answer in time', latency: timeout };
    }
    if (behaviour === 'slow') await this.#clock.sleep(seconds(4), signal);
    if (behaviour === 'broken') return reply(500, '{"error":"broken"}');
    return reply(200, phase === 'pre-reconcile' ? envReply : '');
  };
}

const envReply = JSON.stringify({ envVars: [{ name: 'FROM_HOOK', value: 'yes' }] });

const reply = (status: number, body: string): OutgoingAnswer =>
  readyAnswer(status, body, { 'content-type': 'application/json' });
