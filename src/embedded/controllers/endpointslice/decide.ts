import { at, equalJson, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { controllerReference, isControlledBy } from '#kube/workload/owner.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { isDeleting, labelsOf, metaOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import {
  addressesOf,
  familyOf,
  hostnameUnder,
  inheritedLabels,
  isReachable,
  portsOn,
  publishesUnready,
  type Family,
  type ResolvedPort,
} from './service-pods.ts';

export const serviceLabel = 'kubernetes.io/service-name';
export const managedLabel = 'endpointslice.kubernetes.io/managed-by';
export const manager = 'endpointslice-controller.k8s.io';
const largestSlice = 100;

export type ServiceSnapshot = {
  readonly service: KubeObject;
  /** The pods its selector picks. */
  readonly pods: readonly KubeObject[];
  /** The slices this controller made for it. */
  readonly slices: readonly KubeObject[];
  readonly zoneOf: (node: string) => string | undefined;
};

export type SlicePlan = {
  readonly create: readonly KubeObject[];
  readonly update: readonly KubeObject[];
  readonly remove: readonly KubeObject[];
};

type Group = {
  readonly family: Family;
  readonly ports: readonly ResolvedPort[];
  readonly endpoints: JsonObject[];
};

/** One group of slices per address family and set of ports; full slices are left alone where possible. */
export function decideSlices(snapshot: ServiceSnapshot): SlicePlan {
  const { service, slices } = snapshot;
  const groups = groupsOf(snapshot);
  const byGroup = new Map<string, KubeObject[]>();
  for (const slice of slices) {
    if (isDeleting(slice)) continue;
    const key = groupKey(textAt(slice, 'addressType') ?? '', listAt(slice, 'ports'));
    const known = byGroup.get(key);
    if (known === undefined) byGroup.set(key, [slice]);
    else known.push(slice);
  }
  const plan = { create: [] as KubeObject[], update: [] as KubeObject[], remove: [] as KubeObject[] };
  for (const [key, group] of groups) {
    fill(service, group, byGroup.get(key) ?? [], plan);
    byGroup.delete(key);
  }
  for (const left of byGroup.values()) plan.remove.push(...left);
  return reused(service, plan);
}

/** A slice that would be deleted takes the endpoints of a new one: names stay, and there is no gap. */
function reused(service: KubeObject, { create, update, remove }: SlicePlan): SlicePlan {
  const going = [...remove];
  const changed: KubeObject[] = [];
  const made = create.filter((wanted) => {
    const at = going.findIndex(
      (slice) => isControlledBy(slice, service) && slice['addressType'] === wanted['addressType'],
    );
    const [slice] = at < 0 ? [] : going.splice(at, 1);
    if (slice === undefined) return true;
    const metadata = { ...metaOf(slice), labels: labelsOf(wanted) };
    changed.push({ ...wanted, metadata });
    return false;
  });
  return { create: made, update: [...update, ...changed], remove: going };
}

/** Sorted by the name of the pod: the same pods give the same slices. */
function groupsOf(snapshot: ServiceSnapshot): ReadonlyMap<string, Group> {
  const { service, pods } = snapshot;
  const groups = new Map<string, Group>();
  const families = familiesOf(service);
  // A Service without endpoints has one empty slice.
  for (const family of families) groups.set(groupKey(family, []), { family, ports: [], endpoints: [] });
  for (const pod of pods) {
    const facts = factsOf(pod);
    if (!isReachable(pod, facts)) continue;
    const ports = portsOn(service, pod);
    for (const address of addressesOf(pod)) {
      const family = familyOf(address);
      if (!families.includes(family)) continue;
      const key = groupKey(family, ports.map(portJson));
      const group = groups.get(key) ?? { family, ports, endpoints: [] };
      group.endpoints.push(endpointOf(snapshot, pod, address));
      groups.set(key, group);
    }
  }
  for (const family of families) dropPlaceholder(groups, family);
  return groups;
}

function dropPlaceholder(groups: Map<string, Group>, family: Family): void {
  const key = groupKey(family, []);
  const others = [...groups.values()].filter((group) => group.family === family);
  if (groups.get(key)?.endpoints.length === 0 && others.length > 1) groups.delete(key);
}

const familiesOf = (service: KubeObject): readonly Family[] => {
  const given = listAt(service, 'spec', 'ipFamilies').filter((each) => each === 'IPv4' || each === 'IPv6');
  return given.length === 0 ? ['IPv4'] : given;
};

function groupKey(family: string, ports: readonly Json[]): string {
  const texts = ports.map((port) =>
    printJson(['name', 'protocol', 'port', 'appProtocol'].map((key) => at(port, key) ?? '')),
  );
  return `${family} ${texts.sort().join(' ')}`;
}

const portJson = ({ name, protocol, port, appProtocol }: ResolvedPort): JsonObject => ({
  name,
  protocol,
  port,
  ...(appProtocol === undefined ? {} : { appProtocol }),
});

function endpointOf({ service, zoneOf }: ServiceSnapshot, pod: KubeObject, address: string): JsonObject {
  const facts = factsOf(pod);
  const hostname = hostnameUnder(service, pod);
  const zone = zoneOf(facts.node);
  return {
    addresses: [address],
    conditions: {
      ready: publishesUnready(service) || (facts.isReady && !facts.isDeleting),
      serving: facts.isReady,
      terminating: facts.isDeleting,
    },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: 'Pod', namespace: namespaceOf(pod), name: facts.name, uid: facts.uid },
    ...(facts.node === '' ? {} : { nodeName: facts.node }),
    ...(zone === undefined ? {} : { zone }),
  };
}

const podOf = (endpoint: Json): string => textAt(endpoint, 'targetRef', 'uid') ?? '';

/** Endpoints stay in the slice they are in; the others fill what room is left, then new slices. */
function fill(
  service: KubeObject,
  group: Group,
  slices: readonly KubeObject[],
  plan: { create: KubeObject[]; update: KubeObject[]; remove: KubeObject[] },
): void {
  const wanted = new Map(group.endpoints.map((endpoint) => [podOf(endpoint), endpoint]));
  const kept = slices.map((slice) => {
    const endpoints: JsonObject[] = [];
    for (const each of listAt(slice, 'endpoints')) {
      const found = wanted.get(podOf(each));
      if (found === undefined) continue;
      endpoints.push(found);
      wanted.delete(podOf(each));
    }
    return { slice, endpoints };
  });
  const rest = [...wanted.values()];
  for (const { endpoints } of kept)
    endpoints.push(...rest.splice(0, Math.max(0, largestSlice - endpoints.length)));
  const isAllEmpty = kept.every(({ endpoints }) => endpoints.length === 0);
  kept.forEach(({ slice, endpoints }, at) => {
    if (endpoints.length === 0 && (!isAllEmpty || at > 0)) plan.remove.push(slice);
    else change(service, group, { slice, endpoints }, plan.update);
  });
  if (kept.length === 0 && rest.length === 0) plan.create.push(newSlice(service, group, []));
  for (let at = 0; at < rest.length; at += largestSlice) {
    plan.create.push(newSlice(service, group, rest.slice(at, at + largestSlice)));
  }
}

function change(
  service: KubeObject,
  group: Group,
  { slice, endpoints }: { readonly slice: KubeObject; readonly endpoints: readonly JsonObject[] },
  update: KubeObject[],
): void {
  const labels = labelsFor(service);
  const isSame = equalJson(listAt(slice, 'endpoints'), endpoints) && equalJson(labelsOf(slice), labels);
  if (isSame) return;
  update.push({
    ...slice,
    metadata: { ...metaOf(slice), labels },
    endpoints,
    ports: group.ports.map(portJson),
  });
}

const labelsFor = (service: KubeObject): Record<string, string> => ({
  ...inheritedLabels(service),
  [serviceLabel]: nameOf(service),
  [managedLabel]: manager,
});

function newSlice(service: KubeObject, group: Group, endpoints: readonly JsonObject[]): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: namespaceOf(service),
      generateName: `${nameOf(service)}-`,
      labels: labelsFor(service),
      ownerReferences: [controllerReference(service)],
    },
    addressType: group.family,
    endpoints,
    ports: group.ports.map(portJson),
  };
}
