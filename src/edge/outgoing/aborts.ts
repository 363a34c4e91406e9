/**
 * Hears the abort of a signal that very many calls share. A signal looks through all its listeners whenever one is
 * added, so it gets a single one.
 */
export function onAbort(signal: AbortSignal, task: () => void): () => void {
  let tasks = bySignal.get(signal);
  if (tasks === undefined) {
    tasks = new Set();
    bySignal.set(signal, tasks);
    const all = tasks;
    signal.addEventListener('abort', () => all.forEach((each) => each()), { once: true });
  }
  tasks.add(task);
  const shared = tasks;
  return () => shared.delete(task);
}

const bySignal = new WeakMap<AbortSignal, Set<() => void>>();
