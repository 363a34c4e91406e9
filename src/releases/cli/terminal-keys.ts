/** What keys do in a view that is redrawn. */
export type KeyActions = {
  /** Ctrl-C or q. */
  interrupt(): void;
  /** Ctrl-Z. */
  suspend(): void;
  /** Ctrl-L: draws everything again. */
  refresh(): void;
};

/** Reads keys one by one, so that the terminal does not print them into the view. */
export function readKeys(actions: KeyActions): { start(): void; stop(): void } {
  const { stdin } = process;
  const onKeys = (keys: Buffer): void => {
    for (const key of keys.toString('latin1')) {
      if (key === '\u0003' || key === 'q') actions.interrupt();
      else if (key === '\u001A') actions.suspend();
      else if (key === '\u000C') actions.refresh();
    }
  };
  return {
    start() {
      if (!stdin.isTTY) return;
      stdin.setRawMode(true);
      stdin.on('data', onKeys);
    },
    stop() {
      if (!stdin.isTTY) return;
      stdin.off('data', onKeys);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
