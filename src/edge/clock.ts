import { instant, type Clock } from '#base/time.ts';

/** Longer spans overflow the timer's 32 bits and would fire at once. */
const longestTimer = 2_147_483_647;

/** The machine's own time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  steady: () => performance.now(),
  sleep(span, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const stop = startTimer(span, () => {
        signal.removeEventListener('abort', abort);
        resolve();
      });
      const abort = (): void => {
        stop();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
    });
  },
  after: (span, task) => startTimer(span, task),
};

function startTimer(span: number, task: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (left: number): void => {
    const step = Math.min(left, longestTimer);
    timer = setTimeout(() => (left > step ? arm(left - step) : task()), Math.max(0, step));
    timer.unref();
  };
  arm(span);
  return () => clearTimeout(timer);
}
