import type { Clock, Millis } from '#base/time.ts';

/** A signal that aborts together with another, or when nothing is received for a while. */
export type SilenceTimeout = {
  readonly signal: AbortSignal;
  /** Restarts the time. */
  received(): void;
  /** Always call it: until then the other signal references this one. */
  stop(): void;
};

export function startSilenceTimeout(
  clock: Clock,
  span: Millis,
  signal: AbortSignal,
  message: string,
): SilenceTimeout {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal.reason);
  const arm = (): (() => void) => clock.after(span, () => controller.abort(new Error(message)));
  let cancel = arm();
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    received() {
      cancel();
      cancel = arm();
    },
    stop() {
      cancel();
      signal.removeEventListener('abort', follow);
    },
  };
}
