/** Waits for a promise, or rejects when the signal aborts. */
export async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const give = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', give, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}
