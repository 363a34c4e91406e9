import { cluster } from '#api/platform/cluster.ts';
import { machine } from '#api/platform/machine.ts';
import { resourceOf } from '#control/hook/resources.ts';
import type { Resource } from '#edge/kube/resource.ts';

export const clusters = resourceOf(cluster);
export const machines = resourceOf(machine);
export const secrets: Resource = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
export const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };

export const clusterFinalizer = 'platform.tkestack.io/cluster';
export const machineFinalizer = 'platform.tkestack.io/machine';
