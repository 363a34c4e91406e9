import type { WithMetadata } from '#kube/object.ts';
import { splitKey } from './delta.ts';
import type { Informer } from './informer.ts';
import { settled, type Next } from './work-queue.ts';

type ObjectSteps<Decoded> = {
  readonly reconcile: (object: Decoded, signal: AbortSignal) => Promise<Next>;
  /** Called when the object of a key does not exist: its state can be dropped. */
  readonly forget?: (key: string) => void;
};

/** The reconcile function of a controller whose keys are those of the objects of one informer. */
export const reconcileObject =
  <Decoded extends WithMetadata>(
    objects: Pick<Informer<Decoded>, 'get'>,
    { reconcile, forget }: ObjectSteps<Decoded>,
  ) =>
  (key: string, signal: AbortSignal): Promise<Next> => {
    const { namespace, name } = splitKey(key);
    const object = objects.get(namespace, name);
    if (object !== undefined) return reconcile(object, signal);
    forget?.(key);
    return Promise.resolve(settled);
  };
