import type { Ask } from '#hooks/providers/provider.ts';
import type { Clock } from '#base/time.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import { witnessOf } from '#hooks/call/evidence.ts';
import { prometheusReading } from './prometheus-answer.ts';
import { prometheusRequest } from './prometheus-request.ts';
import { secretsOf, type ReadSecret } from '#hooks/call/secrets.ts';

export type PrometheusDeps = {
  readonly outgoing: Outgoing;
  readonly readSecret: ReadSecret;
  readonly clock: Clock;
};

/** Asks Prometheus. */
export function prometheusProvider({ outgoing, readSecret, clock }: PrometheusDeps): Ask {
  return async ({ metric, namespace, args }, signal) => {
    const { prometheus } = metric.provider;
    if (prometheus === undefined)
      return { type: 'error', message: `metric ${metric.name} does not ask Prometheus`, evidence: {} };
    const secrets = secretsOf(readSecret, namespace, signal);
    const made = await prometheusRequest({ prometheus, args, secrets, now: clock.now() });
    const witness = witnessOf(secrets);
    if (made.type === 'problem') return { type: 'error', message: witness.text(made.message), evidence: {} };
    const answer = await outgoing(made.value.request, signal);
    const asked = { shown: made.value.shown, isRange: prometheus.range !== undefined };
    return prometheusReading(answer, asked, witness);
  };
}
