import type { ReactElement } from 'react';
import type { PageEvent } from '#web/wire/page-event.ts';
import { Icon } from './icon.tsx';
import { Panel } from './panel.tsx';
import { Ago } from './time.tsx';

/** Kubernetes Events of an object, newest first. */
export function EventPanel({ events }: { readonly events: readonly PageEvent[] }): ReactElement {
  return (
    <Panel title="Events">
      {events.length === 0 ? (
        <p className="hint">None. Kubernetes keeps Events for one hour.</p>
      ) : (
        <ol className="event-list" tabIndex={0} aria-label="Events, newest first">
          {events.map((event) => (
            <li
              key={`${event.time} ${event.reason} ${event.message}`}
              className={event.type === 'Warning' ? 'warns' : ''}
            >
              <span className="event-head">
                {event.type === 'Warning' ? <Icon name="warning" /> : null}
                <strong>{event.reason}</strong>
                {event.type === 'Warning' ? <span className="unseen">(warning)</span> : null}
                {event.count > 1 ? <span className="hint">×{event.count}</span> : null}
                <span className="hint">
                  <Ago of={event.time} />
                </span>
              </span>
              <span className="text">{event.message}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
