/** Ctrl-C once ends the work in good order; twice ends the program. */
export async function interruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(130);
    process.stderr.write('\nStopping the scripts on the machines; once more to leave at once\n');
    stop.abort(new Error('interrupted'));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // The engine's timers do not keep the process alive, and a wait for the next try is nothing but a timer.
  const awake = setInterval(() => undefined, 60_000);
  try {
    return await work(stop.signal);
  } finally {
    clearInterval(awake);
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
