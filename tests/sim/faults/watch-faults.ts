import type { Random } from '#base/random.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { WatchEvent } from '#edge/kube/watch.ts';
import { whenAborted } from '#loop/when-aborted.ts';
import type { ClientFault } from './around-client.ts';

/** Watches that are late, lost or repeat themselves. */
export type WatchFaults = ClientFault & {
  /** Watches of these resources send nothing until `release`; those of others continue, so their order changes. */
  hold(plurals: readonly string[]): void;
  release(): void;
  /** Ends all watches. `isGone`: the next one of each resource is answered with 410. */
  lose(isGone: boolean): void;
  /** The share of events that are sent twice. */
  repeat(share: number): void;
};

const gone: WatchEvent = { type: 'gone', code: 410, message: 'too old resource version', status: {} };

export function watchFaults(random: Random): WatchFaults {
  const held = new Set<string>();
  let gate = Promise.withResolvers<void>();
  let cut = new AbortController();
  let share = 0;
  const lost = new Set<string>();
  const open = new Set<string>();
  return {
    hold(plurals) {
      for (const each of plurals) held.add(each);
    },
    release() {
      held.clear();
      gate.resolve();
      gate = Promise.withResolvers<void>();
    },
    lose(isGone) {
      if (isGone) for (const plural of open) lost.add(plural);
      const before = cut;
      cut = new AbortController();
      before.abort(new Unavailable('the watch was lost'));
    },
    repeat(part) {
      share = part;
    },
    async *watch({ plural }, begin, signal) {
      open.add(plural);
      if (lost.delete(plural)) {
        yield gone;
        return;
      }
      const both = AbortSignal.any([signal, cut.signal]);
      for await (const event of begin(both)) {
        while (held.has(plural) && !both.aborted) await Promise.race([gate.promise, whenAborted(both)]);
        both.throwIfAborted();
        yield event;
        if (share > 0 && random.next() < share) yield event;
      }
    },
  };
}
