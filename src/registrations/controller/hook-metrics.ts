import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { Counter, Gauge, Histogram, MetricDescription, Metrics } from '#base/metrics.ts';
import type { Clock, Instant } from '#base/time.ts';
import type { Finish, HookAnswer } from '#registrations/decide/cycle.ts';
import { judgeAnswer, type HookReason } from '#registrations/decide/judge-answer.ts';
import type { Registration } from '#registrations/model/registration.ts';

const outcomes: Readonly<Record<HookReason, string>> = {
  HOOKERROR: 'error',
  HOOKPERMANENT: 'permanent',
  HOOKUNREACHABLE: 'unreachable',
  REPLYINVALID: 'invalid',
  PATCHINVALID: 'invalid',
  PATCHREJECTED: 'invalid',
};

const registration = 'Name of the CRDRegistration.';
const phase = 'Phase of the hook: pre-reconcile, post-reconcile or finalize.';

/** The metrics of all registrations. */
export const registrationMetrics = {
  calls: {
    type: 'counter',
    name: 'boathook_reconcile_hook_calls_total',
    help: 'Calls of reconcile hooks by outcome.',
    labels: {
      registration,
      phase,
      outcome:
        'success; error; permanent; invalid: the reply; unreachable; resting: not made while the circuit breaker is open; cancelled',
    },
  },
  seconds: {
    type: 'histogram',
    name: 'boathook_reconcile_hook_duration_seconds',
    help: 'Duration of calls of reconcile hooks, with any outcome.',
    labels: { registration, phase },
    bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  inFlight: {
    type: 'gauge',
    name: 'boathook_reconcile_hook_calls_in_flight',
    help: 'Calls of reconcile hooks in flight.',
    labels: { registration },
  },
  cycles: {
    type: 'counter',
    name: 'boathook_registration_reconciliations_total',
    help: 'Reconciliations of instances by outcome.',
    labels: { registration, outcome: 'done, waiting, paused, failed or interrupted' },
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

/** The metrics of one registration. Instances are not a label, because there may be very many. */
export class HookMetrics {
  readonly #name: string;
  readonly #strict: boolean;
  readonly #clock: Clock;
  readonly #calls: Counter;
  readonly #seconds: Histogram;
  readonly #inFlight: Gauge;
  readonly #cycles: Counter;
  #under = 0;

  constructor(metrics: Metrics, { name, hook }: Pick<Registration, 'name' | 'hook'>, clock: Clock) {
    this.#name = name;
    this.#strict = hook?.strict ?? false;
    this.#clock = clock;
    this.#calls = metrics.counter(registrationMetrics.calls);
    this.#seconds = metrics.histogram(registrationMetrics.seconds);
    this.#inFlight = metrics.gauge(registrationMetrics.inFlight);
    this.#cycles = metrics.counter(registrationMetrics.cycles);
  }

  /** Measures a call, including the time that it waits for the endpoint and the circuit breaker. */
  async measured(phase: HookPhase, call: () => Promise<HookAnswer>): Promise<HookAnswer> {
    const started = this.#clock.now();
    this.#move(1);
    try {
      const answer = await call();
      this.#count(phase, started, answer);
      return answer;
    } catch (error) {
      this.#calls.add({ registration: this.#name, phase, outcome: 'cancelled' });
      throw error;
    } finally {
      this.#move(-1);
    }
  }

  reconciled(outcome: Finish['outcome'] | 'interrupted'): void {
    this.#cycles.add({ registration: this.#name, outcome });
  }

  #count(phase: HookPhase, started: Instant, answer: HookAnswer): void {
    const now = this.#clock.now();
    const { fault } = judgeAnswer(answer, { phase, strict: this.#strict, now });
    const outcome = fault === undefined ? 'success' : outcomes[fault.reason];
    const isMade = answer.type !== 'resting';
    this.#calls.add({ registration: this.#name, phase, outcome: isMade ? outcome : 'resting' });
    if (isMade) this.#seconds.observe({ registration: this.#name, phase }, (now - started) / 1000);
  }

  #move(by: number): void {
    this.#under += by;
    this.#inFlight.set({ registration: this.#name }, this.#under);
  }
}
