import type { MouseEvent, ReactElement, ReactNode } from 'react';
import { goTo } from '#web/page/browser/location.ts';

type PageLinkGiven = { readonly to: string; readonly children: ReactNode; readonly className?: string };

/** A link to another page of the dashboard. With a modifier key it opens a new tab as any link. */
export function PageLink({ to, children, className }: PageLinkGiven): ReactElement {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a href={to} onClick={follow} className={className}>
      {children}
    </a>
  );
}
