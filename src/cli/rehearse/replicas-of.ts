import { numberAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

export const replicasOf = (workload: KubeObject): number => numberAt(workload, 'spec', 'replicas') ?? 1;
