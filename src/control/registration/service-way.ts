import { isObject, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/**
 * The address behind that of a Service, for where nobody knows the names of Services: outside of a cluster, and in
 * the embedded one. Undefined when the Service leads nowhere. Certificates are for names, so only http can go this way.
 */
export function wayOfService(
  url: string,
  service: KubeObject,
  endpoints: KubeObject | undefined,
): { readonly url: string; readonly host: string } | undefined {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'http:') return undefined;
  const { host } = parsed;
  const external = textAt(service, 'spec', 'externalName');
  if (textAt(service, 'spec', 'type') === 'ExternalName' && external !== undefined)
    return { url: `http://${external}${portOf(parsed)}${restOf(parsed)}`, host };
  const port = servicePort(service, Number(parsed.port || 80));
  for (const subset of listAt(endpoints, 'subsets').filter(isObject)) {
    const ip = textAt(listAt(subset, 'addresses')[0], 'ip');
    const behind = numberAt(portBehind(subset, port), 'port');
    if (ip === undefined || behind === undefined) continue;
    const shown = ip.includes(':') ? `[${ip}]` : ip;
    return { url: `http://${shown}:${behind}${restOf(parsed)}`, host };
  }
  return undefined;
}

const portOf = ({ port }: URL): string => (port === '' ? '' : `:${port}`);
const restOf = ({ pathname, search }: URL): string => `${pathname}${search}`;

const servicePort = (service: KubeObject, number: number): Json | undefined =>
  listAt(service, 'spec', 'ports').find((each) => numberAt(each, 'port') === number);

/** Ports of a Service and of its endpoints have the same names; the only one needs none. */
function portBehind(subset: JsonObject, port: Json | undefined): Json | undefined {
  const ports = listAt(subset, 'ports');
  const name = textAt(port, 'name') ?? '';
  return (
    ports.find((each) => (textAt(each, 'name') ?? '') === name) ?? (ports.length === 1 ? ports[0] : undefined)
  );
}
