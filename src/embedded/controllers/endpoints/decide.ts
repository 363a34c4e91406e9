import { equalJson, listAt, textAt, type JsonObject } from '#base/json.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import {
  addressesOf,
  familyOf,
  hostnameUnder,
  inheritedLabels,
  isReachable,
  portsOn,
  publishesUnready,
  type ResolvedPort,
} from '#embedded/controllers/endpointslice/service-pods.ts';
import { labelsOf, metaOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';

export type EndpointsStep =
  { readonly type: 'none' } | { readonly type: 'create' | 'update'; readonly object: KubeObject };

/** Marks the Endpoints that this controller wrote. */
const managedLabel = 'endpoints.kubernetes.io/managed-by';
const manager = 'endpoint-controller';

export const isOurs = (endpoints: KubeObject): boolean => labelsOf(endpoints)[managedLabel] === manager;

/** More addresses than this do not fit into one object. */
const mostAddresses = 1000;

/** The one Endpoints object of a service; `pods` are those its selector picks. */
export function decideEndpoints(
  service: KubeObject,
  pods: readonly KubeObject[],
  known: KubeObject | undefined,
): EndpointsStep {
  const subsets = subsetsOf(service, pods);
  const labels = { ...inheritedLabels(service), [managedLabel]: manager };
  if (known === undefined) {
    const metadata = { name: nameOf(service), namespace: namespaceOf(service), labels };
    return { type: 'create', object: { apiVersion: 'v1', kind: 'Endpoints', metadata, ...present(subsets) } };
  }
  if (equalJson(listAt(known, 'subsets'), subsets) && equalJson(labelsOf(known), labels)) {
    return { type: 'none' };
  }
  const { subsets: _old, ...rest } = known;
  return {
    type: 'update',
    object: { ...rest, metadata: { ...metaOf(known), labels }, ...present(subsets) },
  };
}

const present = (subsets: readonly JsonObject[]): JsonObject => (subsets.length === 0 ? {} : { subsets });

type Subset = {
  readonly ports: readonly JsonObject[];
  readonly ready: JsonObject[];
  readonly unready: JsonObject[];
};

function subsetsOf(service: KubeObject, pods: readonly KubeObject[]): readonly JsonObject[] {
  const byPorts = new Map<string, Subset>();
  const sorted = pods.toSorted((left, right) => (factsOf(left).name < factsOf(right).name ? -1 : 1));
  let count = 0;
  for (const pod of sorted) {
    const facts = factsOf(pod);
    if ((facts.isDeleting && !publishesUnready(service)) || !isReachable(pod, facts)) continue;
    const address = addressFor(service, pod);
    if (address === undefined || count >= mostAddresses) continue;
    count += 1;
    const ports = portsOn(service, pod);
    const key = ports.map(({ name, protocol, port }) => `${name}|${protocol}|${port}`).join(' ');
    const subset = byPorts.get(key) ?? { ports: ports.map(portJson).sort(byName), ready: [], unready: [] };
    const isReady = facts.isReady || publishesUnready(service);
    (isReady ? subset.ready : subset.unready).push(address);
    byPorts.set(key, subset);
  }
  return [...byPorts]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, subset]) => subsetJson(subset));
}

const subsetJson = ({ ports, ready, unready }: Subset): JsonObject => ({
  ...(ready.length === 0 ? {} : { addresses: ready.sort(byIp) }),
  ...(unready.length === 0 ? {} : { notReadyAddresses: unready.sort(byIp) }),
  ...(ports.length === 0 ? {} : { ports }),
});

const byText =
  (key: string) =>
  (left: JsonObject, right: JsonObject): number =>
    (textAt(left, key) ?? '') < (textAt(right, key) ?? '') ? -1 : 1;
const byIp = byText('ip');
const byName = byText('name');

function addressFor(service: KubeObject, pod: KubeObject): JsonObject | undefined {
  const [family] = listAt(service, 'spec', 'ipFamilies');
  const ip = addressesOf(pod).find((each) => family === undefined || familyOf(each) === family);
  if (ip === undefined) return undefined;
  const { node, name, uid } = factsOf(pod);
  const hostname = hostnameUnder(service, pod);
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    ...(node === '' ? {} : { nodeName: node }),
    targetRef: { kind: 'Pod', namespace: namespaceOf(pod), name, uid },
  };
}

const portJson = ({ name, protocol, port, appProtocol }: ResolvedPort): JsonObject => ({
  ...(name === '' ? {} : { name }),
  port,
  protocol,
  ...(appProtocol === undefined ? {} : { appProtocol }),
});
