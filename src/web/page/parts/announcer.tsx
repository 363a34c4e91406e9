import { useRef, type ReactElement } from 'react';

/** Reads a text aloud when it changes, and not when the page opens. */
export function Announcer({ text }: { readonly text: string }): ReactElement {
  const first = useRef(text);
  return (
    <p className="unseen" role="status" aria-live="polite">
      {text === first.current ? '' : text}
    </p>
  );
}
