import type { ProviderAsk, ProviderDeps } from '#hooks/providers/provider.ts';
import type { PrometheusProvider } from './wire/prometheus-wire.ts';
import { witnessOf } from '#hooks/call/evidence.ts';
import { prometheusReading } from './prometheus-answer.ts';
import { prometheusRequest } from './prometheus-request.ts';
import { secretsOf } from '#hooks/call/secrets.ts';

type Deps = Pick<ProviderDeps, 'outgoing' | 'readSecret' | 'clock'>;

/** Queries Prometheus. */
export function prometheusProvider({ outgoing, readSecret, clock }: Deps): ProviderAsk<PrometheusProvider> {
  return async ({ namespace, args, spec: prometheus }, signal) => {
    const secrets = secretsOf(readSecret, namespace, signal);
    const made = await prometheusRequest({ prometheus, args, secrets, now: clock.now() });
    const witness = witnessOf(secrets);
    if (made.type === 'problem') return { type: 'error', message: witness.text(made.message), evidence: {} };
    const answer = await outgoing(made.value.request, signal);
    const asked = { shown: made.value.shown, isRange: prometheus.range !== undefined };
    return prometheusReading(answer, asked, witness);
  };
}
