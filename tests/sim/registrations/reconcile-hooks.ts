import { numberAt, textAt, type Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { seconds, type Clock, type Instant } from '#base/time.ts';
import type { Outgoing, OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { readyAnswer } from '#edge/outgoing/ready-answer.ts';

/** How the hook treats an instance. */
export type InstanceHookBehaviour = 'good' | 'broken' | 'none' | 'slow';

export type ReconcileCall = {
  readonly at: Instant;
  readonly instance: string;
  readonly uid: string;
  /** Of the instance. */
  readonly generation: number;
  /** The generation of the registration. */
  readonly registration: number;
  readonly phase: string;
};

/** Called when a hook call begins; what it returns is called when the hook call ends. */
export type CallListener = (call: ReconcileCall) => (isGood: boolean) => void;

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

  /** As one process reaches the service. */
  outgoing(begun: CallListener): Outgoing {
    return async ({ body = '{}', timeout }, signal) => {
      const call = callOf(parseJson(body), this.#clock.now());
      this.calls.push(call);
      const ended = begun(call);
      const behaviour = this.behaviours.get(call.instance) ?? 'good';
      if (behaviour === 'none') {
        await this.#clock.sleep(timeout, signal);
        return { type: 'failed', why: 'timeout', message: 'no answer in time', latency: timeout };
      }
      if (behaviour === 'slow') await this.#clock.sleep(seconds(4), signal);
      if (behaviour === 'broken') return reply(500, '{"error":"broken"}');
      ended(true);
      return reply(200, call.phase === 'pre-reconcile' ? envReply(call) : '');
    };
  }
}

const callOf = (request: Json, at: Instant): ReconcileCall => ({
  at,
  instance: textAt(request, 'object', 'name') ?? '',
  uid: textAt(request, 'uid') ?? '',
  generation: numberAt(request, 'generation') ?? 0,
  registration: numberAt(request, 'registration', 'generation') ?? 0,
  phase: textAt(request, 'phase') ?? '',
});

/** The variable shows which edit the answer was given for. */
const envReply = ({ generation, registration }: ReconcileCall): string =>
  JSON.stringify({ envVars: [{ name: 'FROM_HOOK', value: `${generation}.${registration}` }] });

const reply = (status: number, body: string): OutgoingAnswer =>
  readyAnswer(status, body, { 'content-type': 'application/json' });
