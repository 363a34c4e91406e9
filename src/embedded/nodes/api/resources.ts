import { textAt } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Indexes } from '#loop/object-cache.ts';
import type { Informer } from '#loop/informer.ts';

export const pods: Resource = { group: '', version: 'v1', plural: 'pods', namespaced: true };
export const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
export const claims: Resource = {
  group: '',
  version: 'v1',
  plural: 'persistentvolumeclaims',
  namespaced: true,
};
export const storageClasses: Resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'storageclasses',
  namespaced: false,
};
export const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
export const leases: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  namespaced: true,
};

/** Pods by the node they are bound to. */
export const nodeIndexes: Indexes = { 'spec.nodeName': (pod) => [textAt(pod, 'spec', 'nodeName') ?? ''] };
export const podsOn = (informer: Informer, node: string): readonly KubeObject[] =>
  informer.byIndex('spec.nodeName', node);
