import type { ReactElement } from 'react';
import { useClusterConnection, useStreamLink } from '#web/page/browser/tab.ts';
import { Icon } from './icon.tsx';
import { Time } from './time.tsx';

/** Says since when the page shows what was, and not what is. */
export function ConnectionBanner(): ReactElement {
  const link = useStreamLink();
  const cluster = useClusterConnection();
  return (
    <div role="status" aria-live="polite">
      {link.isUp ? null : (
        <p className="banner">
          <Icon name="warning" />
          <span>
            No connection to the server of the dashboard since <Time of={link.since} />. The page shows the
            state of that time and reconnects by itself.
          </span>
        </p>
      )}
      {!link.isUp || cluster.isUp ? null : (
        <p className="banner">
          <Icon name="warning" />
          <span>
            No connection to the API server since <Time of={cluster.since} />. The page shows the state of
            that time. <span className="text">{cluster.message}</span>
          </span>
        </p>
      )}
    </div>
  );
}
