import { useId, type ReactElement, type ReactNode } from 'react';

type PanelGiven = {
  readonly title: string;
  readonly children: ReactNode;
  readonly aside?: ReactNode;
  readonly className?: string;
};

/** A section of a page with its heading. */
export function Panel({ title, children, aside, className = '' }: PanelGiven): ReactElement {
  const id = useId();
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
