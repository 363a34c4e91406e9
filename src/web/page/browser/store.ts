import { useSyncExternalStore } from 'react';

/** A value that components follow. */
export type FollowedValue<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function createStore<T>(initial: T): FollowedValue<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A part of a store. The component is rendered again only when that part is another value. */
export const useStore = <T, P>(store: FollowedValue<T>, part: (value: T) => P): P =>
  useSyncExternalStore(store.subscribe, () => part(store.get()));
