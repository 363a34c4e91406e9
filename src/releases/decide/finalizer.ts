import { listAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { PreDeleteHook } from '#releases/kinds/pod-hook.ts';
import { preDeleteFinalizer } from '#releases/model/well-known.ts';

export const hasFinalizer = (object: KubeObject): boolean =>
  listAt(object, 'metadata', 'finalizers').includes(preDeleteFinalizer);

/** A strategic merge patch that adds the finalizer. */
export const addFinalizer: JsonObject = { metadata: { finalizers: [preDeleteFinalizer] } };

/** A strategic merge patch that removes the finalizer. */
export const removeFinalizer: JsonObject = {
  metadata: { '$deleteFromPrimitiveList/finalizers': [preDeleteFinalizer] },
};

/** Whether the finalizer belongs on the pods of a workload. */
export const isEnforced = (strategy: PreDeleteHook | undefined): boolean =>
  strategy?.hook !== undefined && strategy.enforce === 'Always';
