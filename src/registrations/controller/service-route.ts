import { isObject, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { ControllerEnvironment } from '#registrations/model/registration.ts';
import type { KubeObject } from '#kube/object.ts';

export type ServiceRoute = {
  readonly url: string;
  /** The Host header. */
  readonly host: string;
  /** The name in the expected certificate. */
  readonly serverName?: string;
};

/** The Service of a host name in the cluster DNS: the full name, or a shorter one. */
export function serviceOfHost(
  url: string,
  { namespace, clusterDomain }: ControllerEnvironment,
): { readonly namespace: string; readonly name: string } | undefined {
  const host = URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
  const short = host.endsWith(`.svc.${clusterDomain}`) ? host.slice(0, -clusterDomain.length - 1) : host;
  const [name = '', space = namespace, ...rest] = short.split('.');
  const isService = rest.length === 0 || (rest.length === 1 && rest[0] === 'svc');
  return isService && name !== '' ? { namespace: space, name } : undefined;
}

/**
 * The address of an endpoint of a Service, where the cluster DNS is not available: outside of a cluster, and in the
 * embedded one. Undefined when the Service has no endpoint.
 */
export function routeToService(
  url: string,
  service: KubeObject,
  endpoints: KubeObject | undefined,
): ServiceRoute | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  const { host, hostname, protocol } = parsed;
  // The certificate is for the name of the Service.
  const to = (place: string): ServiceRoute => ({
    url: `${protocol}//${place}${restOf(parsed)}`,
    host,
    ...(protocol === 'https:' ? { serverName: hostname } : {}),
  });
  const external = textAt(service, 'spec', 'externalName');
  if (textAt(service, 'spec', 'type') === 'ExternalName' && external !== undefined)
    return to(`${external}${portOf(parsed)}`);
  const usual = protocol === 'https:' ? 443 : 80;
  const port = servicePort(service, Number(parsed.port || usual));
  for (const subset of listAt(endpoints, 'subsets').filter(isObject)) {
    const ip = textAt(listAt(subset, 'addresses')[0], 'ip');
    const behind = numberAt(portBehind(subset, port), 'port');
    if (ip === undefined || behind === undefined) continue;
    const shown = ip.includes(':') ? `[${ip}]` : ip;
    return to(`${shown}:${behind}`);
  }
  return undefined;
}

const portOf = ({ port }: URL): string => (port === '' ? '' : `:${port}`);
const restOf = ({ pathname, search }: URL): string => `${pathname}${search}`;

const servicePort = (service: KubeObject, number: number): Json | undefined =>
  listAt(service, 'spec', 'ports').find((each) => numberAt(each, 'port') === number);

/** A port of a Service and of its endpoints have the same name; a single port needs none. */
function portBehind(subset: JsonObject, port: Json | undefined): Json | undefined {
  const ports = listAt(subset, 'ports');
  const name = textAt(port, 'name') ?? '';
  return (
    ports.find((each) => (textAt(each, 'name') ?? '') === name) ?? (ports.length === 1 ? ports[0] : undefined)
  );
}
