import type { ControlDeps } from '#control/control-deps.ts';
import { askProvider } from './ask-provider.ts';
import type { Ask } from './provider.ts';
import { jobProvider } from './providers/job.ts';
import { kubernetesProvider } from './providers/kubernetes.ts';
import { machineProvider } from './providers/machine.ts';
import { prometheusProvider } from './providers/prometheus.ts';
import { webProvider } from './providers/web.ts';
import { secretReader } from './read-secret.ts';

/** Whom metrics can ask from inside a cluster. */
export function hookAsk(deps: ControlDeps): Ask {
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
