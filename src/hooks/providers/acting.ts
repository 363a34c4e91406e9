import type { Impersonate } from '#loop/control-deps.ts';
import type { MetricCall } from './provider.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { checkSubdomain } from '#kube/names.ts';

/** A client that impersonates the ServiceAccount of the run. Throws if the name is not valid. */
export function actingFor(impersonate: Impersonate, question: MetricCall): KubeClient {
  const { namespace, serviceAccount } = question;
  if (checkSubdomain(serviceAccount).length > 0)
    throw new Error(
      `serviceAccountName ${JSON.stringify(serviceAccount)} cannot be the name of a ServiceAccount`,
    );
  return impersonate(namespace, serviceAccount);
}
