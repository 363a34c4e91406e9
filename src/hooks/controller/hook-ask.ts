import type { ControlDeps } from '#loop/control-deps.ts';
import { askProvider } from './ask-provider.ts';
import type { Ask } from '#hooks/providers/provider.ts';
import { jobProvider } from '#hooks/providers/job/job.ts';
import { kubernetesProvider } from '#hooks/providers/kubernetes/kubernetes.ts';
import { machineProvider, type WithScripts } from '#hooks/providers/machine/machine.ts';
import { prometheusProvider } from '#hooks/providers/prometheus/prometheus.ts';
import { webProvider } from '#hooks/providers/web/web.ts';
import { secretReader } from './read-secret.ts';

/** Whom metrics can ask from inside a cluster. */
export function hookAsk(deps: ControlDeps & WithScripts): Ask {
  const { outgoing, clock, random, impersonate, hmac } = deps;
  const readSecret = secretReader(deps.client);
  return askProvider({
    web: webProvider({ outgoing, readSecret, hmac, clock, random }),
    prometheus: prometheusProvider({ outgoing, readSecret, clock }),
    kubernetes: kubernetesProvider({ impersonate, clock }),
    job: jobProvider({ impersonate, clock }),
    machine: machineProvider(deps),
  });
}
