import { useEffect, type ReactElement, type ReactNode } from 'react';
import { setTitle } from '#web/page/browser/title.ts';
import { Icon } from './icon.tsx';
import { PageLink } from './page-link.tsx';
import { Status } from './status.tsx';

type ObjectHeadGiven = {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly phase: string;
  readonly message: string;
  readonly children?: ReactNode;
};

/** Name, kind and phase of the object of a page. */
export function ObjectHead({
  kind,
  namespace,
  name,
  phase,
  message,
  children,
}: ObjectHeadGiven): ReactElement {
  useEffect(() => setTitle(`${name}: ${phase}`), [name, phase]);
  return (
    <header className="object-head">
      <nav aria-label="Breadcrumb">
        <ol className="crumbs">
          <li>
            <PageLink to="/">Overview</PageLink>
          </li>
          <li>
            <Icon name="next" />
            {kind}
          </li>
          {namespace === undefined ? null : (
            <li>
              <Icon name="next" />
              {namespace}
            </li>
          )}
        </ol>
      </nav>
      <div className="object-line">
        <h1 tabIndex={-1}>{name}</h1>
        <Status word={phase} />
      </div>
      {message === '' ? null : <p className="object-message text">{message}</p>}
      {children}
    </header>
  );
}
