import type { Impersonate } from '#loop/control-deps.ts';
import type { MetricCall } from './provider.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { checkSubdomain } from '#kube/names.ts';

/** A client with the rights of the run's service account. Throws for a name that no account can have. */
export function actingFor(impersonate: Impersonate, question: MetricCall): KubeClient {
  const { namespace, serviceAccount } = question;
  if (checkSubdomain(serviceAccount).length > 0)
    throw new Error(
      `serviceAccountName ${JSON.stringify(serviceAccount)} cannot be the name of a ServiceAccount`,
    );
  return impersonate(namespace, serviceAccount);
}
