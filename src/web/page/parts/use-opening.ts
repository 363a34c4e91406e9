import { useState } from 'react';

/** A dialog that is open, for a value. */
export type Opening<Value> = {
  readonly value: Value;
  /** The key of its component: a dialog that is opened again is another one, even before the first is gone. */
  readonly key: number;
  /** Closes this dialog, and none that was opened after it: a browser reports a close some time later. */
  readonly close: () => void;
};

/** The dialog that is open, and how one is opened. */
export function useOpening<Value>(): readonly [Opening<Value> | undefined, (value: Value) => void] {
  const [opened, setOpened] = useState<Omit<Opening<Value>, 'close'>>();
  const [count, setCount] = useState(0);
  const open = (value: Value): void => {
    setCount(count + 1);
    setOpened({ value, key: count + 1 });
  };
  if (opened === undefined) return [undefined, open];
  const close = (): void => setOpened((now) => (now?.key === opened.key ? undefined : now));
  return [{ ...opened, close }, open];
}
