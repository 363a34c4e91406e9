import { performance } from 'node:perf_hooks';

/** A line on a terminal that shows how far a long rehearsal is. */
export type ProgressLine = Disposable & { show(text: () => string): void };

const between = 250;

/** Shows nothing when the errors of the command are not on a terminal. */
export function openProgressLine(): ProgressLine {
  if (!process.stderr.isTTY) return { show: () => undefined, [Symbol.dispose]: () => undefined };
  let last = -Infinity;
  let isShown = false;
  return {
    show(text) {
      const now = performance.now();
      if (now - last < between) return;
      last = now;
      isShown = true;
      process.stderr.write(`\r\u001b[K${text()}`);
    },
    [Symbol.dispose]() {
      if (isShown) process.stderr.write('\r\u001b[K');
    },
  };
}
