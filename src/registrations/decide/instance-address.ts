import { listAt, numberAt, textAt } from '#base/json.ts';
import { nameOf, namespaceOf } from '#kube/object.ts';
import { serviceHost } from './address.ts';
import type { Children } from './cycle.ts';
import type { FormFactor, ControllerEnvironment } from '#registrations/model/registration.ts';

/** The URL of a workload, with its port unless that is 80. */
export function addressOfChildren(
  form: FormFactor,
  live: Children,
  { clusterDomain }: ControllerEnvironment,
): string | undefined {
  if (form.type === 'ksvc') {
    const url = textAt(live.ksvc, 'status', 'address', 'url');
    return url === '' ? undefined : url;
  }
  const { service } = live;
  if (form.service === undefined || service === undefined) return undefined;
  const ports = listAt(service, 'spec', 'ports').map((each) => numberAt(each, 'port'));
  const port = ports.includes(80) ? 80 : (ports[0] ?? form.service.port);
  const host = serviceHost(nameOf(service), namespaceOf(service), clusterDomain);
  return `http://${host}${port === 80 ? '' : `:${port}`}`;
}

/** Whether a URL is one that we wrote for a Service that was deleted. */
export const isOwnAddress = (
  url: string,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  { clusterDomain }: ControllerEnvironment,
): boolean => url.replace(/:\d+$/, '') === `http://${serviceHost(name, namespace, clusterDomain)}`;
