import type { ControlDeps } from '#loop/control-deps.ts';
import { bounded } from '#hooks/call/bounded.ts';
import { providerWires, type ProviderName, type ProviderWires } from '#hooks/kinds/providers.ts';
import { jobProvider } from '#hooks/providers/job/job.ts';
import { kubernetesProvider } from '#hooks/providers/kubernetes/kubernetes.ts';
import { machineProvider } from '#hooks/providers/machine/machine.ts';
import { prometheusProvider } from '#hooks/providers/prometheus/prometheus.ts';
import type { AskMetric, ProviderAsk, ProviderDeps } from '#hooks/providers/provider.ts';
import { webProvider } from '#hooks/providers/web/web.ts';
import type { SpecOf } from '#hooks/providers/wire/provider-wire.ts';
import { readProviderIn } from '#hooks/read.ts';
import type { RunScript } from '#machines/decide/objects/script.ts';
import { secretReader } from './read-secret.ts';

/** How each provider is called. The compiler requires one for every entry of `providerWires`. */
const providers: {
  readonly [Name in ProviderName]: (deps: ProviderDeps) => ProviderAsk<SpecOf<(typeof providerWires)[Name]>>;
} = {
  web: webProvider,
  prometheus: prometheusProvider,
  kubernetes: kubernetesProvider,
  job: jobProvider,
  machine: machineProvider,
};

type ProviderAsks = Readonly<Record<string, ProviderAsk<object>>>;

/** Calls the provider that a metric names. */
export function askProvider(deps: ProviderDeps): AskMetric {
  const asks = Object.entries(providers).map(([name, provider]) => [name, provider(deps)] as const);
  return askOneOf(providerWires, Object.fromEntries<ProviderAsk<object>>(asks));
}

/** The same for any list of providers. */
export function askOneOf(wires: ProviderWires, asks: ProviderAsks): AskMetric {
  return async (question, signal) => {
    const read = readProviderIn(wires, question.metric.provider);
    if (read.type === 'refused')
      return { type: 'error', message: `metric ${question.metric.name}: ${read.message}`, evidence: {} };
    const { type, spec } = read.provider;
    const ask = asks[type];
    if (ask === undefined)
      return { type: 'error', message: `the provider ${type} cannot be called here`, evidence: {} };
    return bounded(await ask({ ...question, spec }, signal));
  };
}

/** How scripts run on machines; without it the provider `machine` returns an error. */
export type WithScripts = { readonly runScript?: RunScript | undefined };

/** Calls providers from a controller in the cluster. */
export function askInCluster(deps: ControlDeps & WithScripts): AskMetric {
  const { client, report, runScript } = deps;
  return askProvider({
    ...deps,
    readSecret: secretReader(client),
    scripts: runScript === undefined ? undefined : { client, report, runScript },
  });
}
