import { createStore, useStore } from './store.ts';

/** A short message about an act of the user. */
export type Toast = { readonly id: number; readonly isBad: boolean; readonly text: string };

const toasts = createStore<readonly Toast[]>([]);
let count = 0;

/** Shows a message; a good one goes away by itself, a bad one stays until it is closed. */
export function showToast(text: string, isBad: boolean): void {
  count += 1;
  const id = count;
  toasts.set([...toasts.get(), { id, isBad, text }]);
  if (!isBad) window.setTimeout(() => closeToast(id), 8000);
}

export const closeToast = (id: number): void => toasts.set(toasts.get().filter((each) => each.id !== id));

export const useToasts = (): readonly Toast[] => useStore(toasts, (each) => each);
