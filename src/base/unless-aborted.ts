/** Waits until the signal is aborted at the latest, and throws its reason then. */
export function unlessAborted<Answer>(asked: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  asked.catch(() => undefined);
  return Promise.race([promise, asked]).finally(() => signal.removeEventListener('abort', abort));
}
