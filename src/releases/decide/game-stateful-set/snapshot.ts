import type { KubeObject } from '#kube/object.ts';
import type { WorkloadSnapshot } from '#releases/decide/snapshot.ts';

/** A snapshot with the PersistentVolumeClaims of the namespace. */
export type StatefulSnapshot = WorkloadSnapshot & {
  readonly claim: (name: string) => KubeObject | undefined;
};
