import { useEffect, type ReactElement, type ReactNode } from 'react';
import { setTitle } from '#web/page/browser/title.ts';

type NoticeGiven = {
  readonly title: string;
  readonly text: string;
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
};

/** A page with one message: loading, not found, no rights. */
export function Notice({ title, text, isBusy = false, children }: NoticeGiven): ReactElement {
  useEffect(() => setTitle(title), [title]);
  return (
    <section className="notice" aria-busy={isBusy}>
      <h1 tabIndex={-1}>{title}</h1>
      <p className="text" role="status">
        {text}
      </p>
      {children}
    </section>
  );
}
