import type { Resource } from '#edge/kube/resource.ts';

export const pods: Resource = { group: '', version: 'v1', plural: 'pods', namespaced: true };
export const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
export const leases: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  namespaced: true,
};
