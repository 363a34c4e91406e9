import { isConditionTrue } from '#kube/conditions.ts';
import type { KubeObject } from '#kube/object.ts';

/** A node that is gone or does not respond. */
export const isLostNode = (node: KubeObject | undefined): boolean =>
  node === undefined || !isConditionTrue(node, 'Ready');
