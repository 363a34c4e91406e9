import { cluster } from '#machines/kinds/cluster.ts';
import { machine } from '#machines/kinds/machine.ts';
import { resourceOf } from '#hooks/kinds/resources.ts';
import type { Resource } from '#kube/resource.ts';

export const clusters = resourceOf(cluster);
export const machines = resourceOf(machine);
export const secrets: Resource = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
export const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };

export const clusterFinalizer = 'platform.tkestack.io/cluster';
export const machineFinalizer = 'platform.tkestack.io/machine';
