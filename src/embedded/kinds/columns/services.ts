import { at, listAt, numberAt, textAt, type Json } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { hostPort, labelsText, textCell, textsAt, withMore } from './cells.ts';
import { ageColumn, nameColumn, withNameAndAge, textColumn, wideColumn, type Column } from './column.ts';

export const serviceColumns: readonly Column[] = [
  nameColumn,
  textColumn(
    'Type',
    'type determines how the Service is exposed. Defaults to ClusterIP. Valid options are ExternalName, ClusterIP, NodePort, and LoadBalancer. "ClusterIP" allocates a cluster-internal IP address for load-balancing to endpoints. Endpoints are determined by the selector or if that is not specified, by manual construction of an Endpoints object or EndpointSlice objects. If clusterIP is "None", no virtual IP is allocated and the endpoints are published as a set of endpoints rather than a virtual IP. "NodePort" builds on ClusterIP and allocates a port on every node which routes to the same endpoints as the clusterIP. "LoadBalancer" builds on NodePort and creates an external load-balancer (if supported in the current cloud) which routes to the same endpoints as the clusterIP. "ExternalName" aliases this service to the specified externalName. Several other fields do not apply to ExternalName services. More info: https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types',
    textCell('spec', 'type'),
  ),
  textColumn(
    'Cluster-IP',
    'clusterIP is the IP address of the service and is usually assigned randomly. If an address is specified manually, is in-range (as per system configuration), and is not in use, it will be allocated to the service; otherwise creation of the service will fail. This field may not be changed through updates unless the type field is also being changed to ExternalName (which requires this field to be blank) or the type field is being changed from ExternalName (in which case this field may optionally be specified, as describe above).  Valid values are "None", empty string (""), or a valid IP address. Setting this to "None" makes a "headless service" (no virtual IP), which is useful when direct endpoint connections are preferred and proxying is not required.  Only applies to types ClusterIP, NodePort, and LoadBalancer. If this field is specified when creating a Service of type ExternalName, creation will fail. This field will be wiped when updating a Service to type ExternalName. More info: https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies',
    clusterAddress,
  ),
  textColumn(
    'External-IP',
    'externalIPs is a list of IP addresses for which nodes in the cluster will also accept traffic for this service.  These IPs are not managed by Kubernetes.  The user is responsible for ensuring that traffic arrives at a node with this IP.  A common example is external load-balancers that are not part of the Kubernetes system.',
    externalAddress,
  ),
  textColumn(
    'Port(s)',
    'The list of ports that are exposed by this service. More info: https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies',
    (service) => listAt(service, 'spec', 'ports').map(portText).join(',') || '<none>',
  ),
  ageColumn,
  wideColumn(
    'Selector',
    'Route service traffic to pods with label keys and values matching this selector. If empty or not present, the service is assumed to have an external process managing its endpoints, which Kubernetes will not modify. Only applies to types ClusterIP, NodePort, and LoadBalancer. Ignored if type is ExternalName. More info: https://kubernetes.io/docs/concepts/services-networking/service/',
    (service) => labelsText(at(service, 'spec', 'selector')),
  ),
];

export const endpointsColumns: readonly Column[] = withNameAndAge(
  textColumn('Endpoints', 'The addresses and ports that serve.', endpointsText),
);

export const endpointSliceColumns: readonly Column[] = withNameAndAge(
  textColumn('AddressType', 'What kind of addresses these are.', textCell('addressType')),
  textColumn(
    'Ports',
    'The ports of every endpoint.',
    (slice) => withMore(listAt(slice, 'ports').map(slicePortText), 3) || '<unset>',
  ),
  textColumn('Endpoints', 'The addresses of the endpoints.', (slice) => {
    const addresses = listAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses'));
    return withMore(addresses, 3) || '<unset>';
  }),
);

/** The addresses a load balancer answers on, sorted, each once. */
export function loadBalancerText(object: KubeObject): string {
  const ingress = listAt(object, 'status', 'loadBalancer', 'ingress');
  const addresses = ingress.map((each) => textAt(each, 'ip') || textAt(each, 'hostname') || '');
  return [...new Set(addresses.filter((each) => each !== ''))].sort().join(',');
}

function clusterAddress(service: KubeObject): string {
  const first = listAt(service, 'spec', 'clusterIPs')[0];
  return typeof first === 'string' ? first : textAt(service, 'spec', 'clusterIP') || '<none>';
}

function externalAddress(service: KubeObject): string {
  const external = textsAt(service, 'spec', 'externalIPs').join(',');
  switch (textAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external || '<none>';
    case 'LoadBalancer':
      return [loadBalancerText(service), external].filter((each) => each !== '').join(',') || '<pending>';
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName') ?? '';
    default:
      return '<unknown>';
  }
}

function portText(port: Json): string {
  const nodePort = numberAt(port, 'nodePort') ?? 0;
  const number = numberAt(port, 'port') ?? 0;
  return `${number}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(port, 'protocol') ?? ''}`;
}

function endpointsText(endpoints: KubeObject): string {
  const subsets = listAt(endpoints, 'subsets');
  return subsets.length === 0 ? '<none>' : withMore(subsets.flatMap(subsetTexts), 3);
}

function subsetTexts(subset: Json): readonly string[] {
  const addresses = listAt(subset, 'addresses').map((each) => textAt(each, 'ip') ?? '');
  const ports = listAt(subset, 'ports');
  // A headless service may have no ports at all.
  if (ports.length === 0) return addresses;
  return ports.flatMap((port) => addresses.map((ip) => hostPort(ip, numberAt(port, 'port') ?? 0)));
}

function slicePortText(port: Json): string {
  const number = numberAt(port, 'port');
  return number === undefined ? (textAt(port, 'name') ?? '*') : `${number}`;
}
