import { at, listAt, objectAt, textAt, numberAt, type Json } from '#base/json.ts';
import { labelsOf, nameOf, stringMap, type KubeObject } from '#kube/object.ts';
import { factsOf, isFinished, type PodFacts } from '#kube/workload/pod-facts.ts';

/** The selector of a Service; undefined when it has none, because its endpoints are written by others. */
export function podSelector(service: KubeObject): readonly (readonly [string, string])[] | undefined {
  const selector = objectAt(service, 'spec', 'selector');
  if (selector === undefined || textAt(service, 'spec', 'type') === 'ExternalName') return undefined;
  const entries = Object.entries(stringMap(selector));
  return entries.length === 0 ? undefined : entries;
}

export const isSelected = (
  selector: readonly (readonly [string, string])[],
  labels: Readonly<Record<string, string>>,
): boolean => selector.every(([key, value]) => labels[key] === value);

export const selectsPod = (service: KubeObject, pod: KubeObject): boolean => {
  const selector = podSelector(service);
  return selector !== undefined && isSelected(selector, factsOf(pod).labels);
};

export type Family = 'IPv4' | 'IPv6';

export const familyOf = (ip: string): Family => (ip.includes(':') ? 'IPv6' : 'IPv4');

/** The addresses of a pod, the first of each family. */
export function addressesOf(pod: KubeObject): readonly string[] {
  const ips = listAt(pod, 'status', 'podIPs').flatMap((each) => textAt(each, 'ip') ?? []);
  const main = textAt(pod, 'status', 'podIP') ?? '';
  return ips.length === 0 && main !== '' ? [main] : ips;
}

/** Finished pods and pods without an address have no endpoint. */
export const isReachable = (pod: KubeObject, facts: PodFacts): boolean =>
  !isFinished(facts) && (textAt(pod, 'status', 'podIP') ?? '') !== '';

export type ResolvedPort = {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly appProtocol: string | undefined;
};

/** The ports of a service on one pod: named target ports are looked up in its containers. */
export function portsOn(service: KubeObject, pod: KubeObject): readonly ResolvedPort[] {
  return listAt(service, 'spec', 'ports').flatMap((port) => {
    const number = targetPort(port, pod);
    if (number === undefined) return [];
    return {
      name: textAt(port, 'name') ?? '',
      protocol: textAt(port, 'protocol') ?? 'TCP',
      port: number,
      appProtocol: textAt(port, 'appProtocol'),
    };
  });
}

function targetPort(port: Json, pod: KubeObject): number | undefined {
  const target = at(port, 'targetPort');
  if (typeof target === 'number' && target !== 0) return target;
  if (typeof target !== 'string' || target === '') return numberAt(port, 'port');
  const protocol = textAt(port, 'protocol') ?? 'TCP';
  const containers = [...listAt(pod, 'spec', 'containers'), ...sidecars(pod)];
  for (const each of containers.flatMap((container) => listAt(container, 'ports'))) {
    if (textAt(each, 'name') === target && (textAt(each, 'protocol') ?? 'TCP') === protocol) {
      return numberAt(each, 'containerPort');
    }
  }
  return undefined;
}

const sidecars = (pod: KubeObject): readonly Json[] =>
  listAt(pod, 'spec', 'initContainers').filter((each) => textAt(each, 'restartPolicy') === 'Always');

const isHeadless = (service: KubeObject): boolean =>
  textAt(service, 'spec', 'clusterIP') === 'None' || (textAt(service, 'spec', 'clusterIP') ?? '') === '';

/** The host name a pod has under the service. */
export function hostnameUnder(service: KubeObject, pod: KubeObject): string | undefined {
  const hostname = textAt(pod, 'spec', 'hostname') ?? '';
  const isUnder = textAt(pod, 'spec', 'subdomain') === nameOf(service);
  return hostname !== '' && isUnder ? hostname : undefined;
}

export const publishesUnready = (service: KubeObject): boolean =>
  at(service, 'spec', 'publishNotReadyAddresses') === true;

const headlessLabel = 'service.kubernetes.io/headless';

/** The labels of a service as its endpoints carry them. */
export function inheritedLabels(service: KubeObject): Record<string, string> {
  const labels: Record<string, string> = { ...labelsOf(service) };
  delete labels[headlessLabel];
  if (isHeadless(service)) labels[headlessLabel] = '';
  return labels;
}
