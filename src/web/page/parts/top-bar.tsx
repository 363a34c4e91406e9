import type { ReactElement } from 'react';
import type { SessionInfo } from '#web/wire/session.ts';
import { leave } from '#web/page/browser/session.ts';
import { chooseTheme, useTheme, type Theme } from '#web/page/browser/theme.ts';
import { Icon, type IconName } from './icon.tsx';
import { PageLink } from './page-link.tsx';
import { Time } from './time.tsx';

type SignedIn = SessionInfo & { readonly isSignedIn: true };

/** Product, cluster, theme and user: on every page. */
export function TopBar({ info }: { readonly info?: SignedIn }): ReactElement {
  return (
    <header className="top-bar">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <PageLink to="/" className="brand">
        <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <path d="M20 5v10a6 6 0 1 1-9.5-4.9M20 5l-3.4 3.2M20 5l3.4 3.2M14.5 21v6.5" />
        </svg>
        Boathook
      </PageLink>
      {info === undefined ? null : (
        <p className="cluster-name" title={info.server}>
          <span className="unseen">Cluster </span>
          {info.isEmbedded ? 'embedded cluster' : info.server}
        </p>
      )}
      <span className="gap" />
      <ThemeChoice />
      {info === undefined ? null : <UserMenu info={info} />}
    </header>
  );
}

const themes: readonly { readonly value: Theme; readonly label: string; readonly icon: IconName }[] = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'system', label: 'As the system', icon: 'screen' },
];

function ThemeChoice(): ReactElement {
  const theme = useTheme();
  return (
    <fieldset className="theme">
      <legend className="unseen">Colours</legend>
      {themes.map(({ value, label, icon }) => (
        <label key={value} title={label}>
          <input
            type="radio"
            name="theme"
            className="unseen"
            checked={theme === value}
            onChange={() => chooseTheme(value)}
          />
          <Icon name={icon} />
          <span className="unseen">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function UserMenu({ info }: { readonly info: SignedIn }): ReactElement {
  return (
    <details className="user">
      <summary>
        <Icon name="person" />
        <span className="unseen">User</span>
        <span className="user-name">{info.user}</span>
      </summary>
      <div className="user-card">
        <dl className="pairs">
          <dt>User</dt>
          <dd className="text">{info.user}</dd>
          <dt>Groups</dt>
          <dd className="text">{info.groups.join(', ') || 'none'}</dd>
          <dt>API server</dt>
          <dd className="text">{info.server}</dd>
          <dt>Session ends</dt>
          <dd>
            <Time of={info.endsAt} />
          </dd>
          <dt>Version</dt>
          <dd>{info.version}</dd>
        </dl>
        <button type="button" onClick={() => void leave()}>
          Sign out
        </button>
      </div>
    </details>
  );
}
