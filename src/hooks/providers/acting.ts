import type { Impersonate } from '#loop/control-deps.ts';
import type { MetricCall } from './provider.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import { textAt } from '#base/json.ts';
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

/** Why a request was refused. If the controllers may not act as the ServiceAccount at all, what to do about it. */
export function refusalText({ type, message, status }: Refusal, { serviceAccount }: MetricCall): string {
  const isImpersonation =
    type === 'forbidden' &&
    textAt(status, 'details', 'kind') === 'serviceaccounts' &&
    textAt(status, 'details', 'name') === serviceAccount;
  return isImpersonation
    ? `${message}. Let the controllers act as ServiceAccounts: boathook access --controllers none --with impersonation | kubectl apply -f -`
    : message;
}
