import { equalJson, listAt } from '#base/json.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';
import { addressesOf, isReachable, isSelected, podSelector, selectsPod } from './service-pods.ts';

/** The services that a pod's change concerns. */
export function servicesOf(services: Informer, delta: Delta): readonly string[] {
  const { object } = delta;
  const old = delta.type === 'updated' ? delta.old : undefined;
  if (old !== undefined && isSameEndpoint(object, old)) return [];
  return services
    .list(namespaceOf(object))
    .filter((service) => selectsPod(service, object) || (old !== undefined && selectsPod(service, old)))
    .map(keyOf);
}

/** Most changes of a pod do not change its endpoint. */
function isSameEndpoint(pod: KubeObject, old: KubeObject): boolean {
  const [facts, before] = [factsOf(pod), factsOf(old)];
  return (
    facts.isReady === before.isReady &&
    facts.isDeleting === before.isDeleting &&
    facts.node === before.node &&
    isReachable(pod, facts) === isReachable(old, before) &&
    equalJson(addressesOf(pod), addressesOf(old)) &&
    equalJson(facts.labels, before.labels) &&
    listAt(pod, 'spec', 'containers').length === listAt(old, 'spec', 'containers').length
  );
}

/** The pods that a service's selector picks; undefined when it has none. */
export function podsOf(pods: Informer, service: KubeObject): readonly KubeObject[] | undefined {
  const selector = podSelector(service);
  if (selector === undefined) return undefined;
  return pods.list(namespaceOf(service)).filter((pod) => isSelected(selector, factsOf(pod).labels));
}
