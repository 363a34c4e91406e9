/**
 * Hears the abort of a signal that very many calls share. A signal looks through all its listeners whenever one is
 * added, so it gets a single one; and none when there is no call, since whoever listens is kept with all it knows.
 */
export function onAbort(signal: AbortSignal, task: () => void): () => void {
  const heard = bySignal.get(signal) ?? listen(signal);
  heard.tasks.add(task);
  return () => {
    heard.tasks.delete(task);
    if (heard.tasks.size > 0 || bySignal.get(signal) !== heard) return;
    bySignal.delete(signal);
    signal.removeEventListener('abort', heard.tell);
  };
}

type Heard = { readonly tasks: Set<() => void>; readonly tell: () => void };
const bySignal = new WeakMap<AbortSignal, Heard>();

function listen(signal: AbortSignal): Heard {
  const tasks = new Set<() => void>();
  const heard = { tasks, tell: () => tasks.forEach((each) => each()) };
  bySignal.set(signal, heard);
  signal.addEventListener('abort', heard.tell, { once: true });
  return heard;
}
