import type { Controller } from './controller.ts';
import type { Delta } from './delta.ts';
import type { Informer } from './informer.ts';

/** An informer, and the changes of it that need the controller; every change unless given. */
export type LateTrigger = { readonly informer: Informer; readonly needs?: (delta: Delta) => boolean };

/**
 * A controller whose code is loaded when the first object appears that it has to reconcile. Most clusters use
 * a part of the kinds only; the code for the others then costs neither time at the start nor memory.
 */
export function lateController(
  triggers: readonly LateTrigger[],
  load: () => Promise<Controller>,
): Controller {
  let loading: Promise<Controller> | undefined;
  const begin = (): Promise<Controller> => (loading ??= load());
  const unsubscribes = triggers.map(({ informer, needs = always }) =>
    informer.subscribe((delta) => {
      if (loading === undefined && needs(delta)) void begin();
    }),
  );
  const known = Promise.all(triggers.map(({ informer }) => informer.synced));
  return {
    started: known.then(async () => (await loading)?.started),
    add: (key, options) => void begin().then((controller) => controller.add(key, options)),
    async idle() {
      await known;
      await (await loading)?.idle();
    },
    async close() {
      for (const unsubscribe of unsubscribes) unsubscribe();
      await (await loading)?.close();
    },
  };
}

const always = (): boolean => true;
