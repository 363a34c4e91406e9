import type { Provider } from '#hooks/kinds/metric.ts';
import type { Ask } from '#hooks/providers/provider.ts';
import { bounded } from '#hooks/call/bounded.ts';

export type ProviderName = keyof Provider;

/** Asks whom the metric names. */
export function askProvider(providers: Readonly<Record<ProviderName, Ask>>): Ask {
  const names = Object.keys(providers) as readonly ProviderName[];
  return async (question, signal) => {
    const name = names.find((each) => question.metric.provider[each] !== undefined);
    if (name !== undefined) return bounded(await providers[name](question, signal));
    const message = `metric ${question.metric.name} has no provider: give one of ${names.join(', ')}`;
    return { type: 'error', message, evidence: {} };
  };
}
