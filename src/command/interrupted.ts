/** Runs a task until it ends, or returns 130 after Ctrl-C. A timer keeps the process alive. */
export async function untilInterrupted(task: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Interrupted());
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  const alive = setInterval(() => undefined, 60_000);
  try {
    return await task(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return 130;
    throw error;
  } finally {
    clearInterval(alive);
    for (const signal of signals) process.removeListener(signal, interrupt);
  }
}

class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
