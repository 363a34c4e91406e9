/** The first Ctrl-C cancels the work; the second ends the program. */
export async function interruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(130);
    process.stderr.write('\nStopping the scripts on the machines; press Ctrl-C again to exit at once\n');
    stop.abort(new Error('interrupted'));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // Keeps the process alive while the engine waits for the next attempt: its timers do not.
  const awake = setInterval(() => undefined, 60_000);
  try {
    return await work(stop.signal);
  } finally {
    clearInterval(awake);
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
