import type { Resource } from '#kube/resource.ts';

const namespaced = (group: string, version: string, plural: string): Resource => ({
  group,
  version,
  plural,
  namespaced: true,
});
const clusterWide = (group: string, version: string, plural: string): Resource => ({
  group,
  version,
  plural,
  namespaced: false,
});

export const pods = namespaced('', 'v1', 'pods');
export const services = namespaced('', 'v1', 'services');
export const endpoints = namespaced('', 'v1', 'endpoints');
export const claims = namespaced('', 'v1', 'persistentvolumeclaims');
export const namespaces = clusterWide('', 'v1', 'namespaces');
export const volumes = clusterWide('', 'v1', 'persistentvolumes');
export const nodes = clusterWide('', 'v1', 'nodes');
export const deployments = namespaced('apps', 'v1', 'deployments');
export const replicaSets = namespaced('apps', 'v1', 'replicasets');
export const statefulSets = namespaced('apps', 'v1', 'statefulsets');
export const daemonSets = namespaced('apps', 'v1', 'daemonsets');
export const revisions = namespaced('apps', 'v1', 'controllerrevisions');
export const jobs = namespaced('batch', 'v1', 'jobs');
export const cronJobs = namespaced('batch', 'v1', 'cronjobs');
export const slices = namespaced('discovery.k8s.io', 'v1', 'endpointslices');
export const storageClasses = clusterWide('storage.k8s.io', 'v1', 'storageclasses');
export const budgets = namespaced('policy', 'v1', 'poddisruptionbudgets');
