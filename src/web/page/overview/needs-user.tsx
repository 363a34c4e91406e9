import type { ReactElement } from 'react';
import type { OverviewRow } from '#web/wire/overview.ts';
import { pathOfText } from '#web/page/model/route.ts';
import { PageLink } from '#web/page/parts/page-link.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { StatusMark } from '#web/page/parts/status.tsx';

const most = 12;

/** What does not continue by itself. */
export function NeedsUser({ rows }: { readonly rows: readonly OverviewRow[] }): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <Panel title={`Waits for you (${rows.length})`} className="needs">
      <ul className="need-list">
        {rows.slice(0, most).map((row) => (
          <li key={row.key}>
            <PageLink to={pathOfText(row.key)} className="need">
              <span className="need-head">
                <strong>{row.name}</strong>
                <StatusMark word={row.phase} />
                <span className="hint">
                  {row.objectKind}
                  {row.namespace === '' ? '' : ` in ${row.namespace}`}
                  {row.step === undefined ? '' : `, step ${row.step}`}
                </span>
              </span>
              <span className="text">{row.message || row.reason}</span>
            </PageLink>
          </li>
        ))}
      </ul>
      {rows.length > most ? (
        <p className="hint">And {rows.length - most} more, first in the tables below.</p>
      ) : null}
    </Panel>
  );
}
