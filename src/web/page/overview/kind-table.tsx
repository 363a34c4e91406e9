import { memo, useState, type ReactElement } from 'react';
import type { OverviewKind, OverviewRow } from '#web/wire/overview.ts';
import { pathOfText } from '#web/page/model/route.ts';
import { PageLink } from '#web/page/parts/page-link.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { StatusMark } from '#web/page/parts/status.tsx';
import { Ago } from '#web/page/parts/time.tsx';
import { kindTitles } from './kind-titles.ts';

type KindTableGiven = { readonly kind: OverviewKind; readonly rows: readonly OverviewRow[] };

/** Rows that are shown at first and added with each click: a table of thousands would be slow. */
const portion = 100;

/** The objects of one kind. */
export function KindTable({ kind, rows }: KindTableGiven): ReactElement | null {
  const [most, setMost] = useState(portion);
  const own = rows.filter((row) => row.kind === kind);
  if (own.length === 0) return null;
  const isRelease = kind === 'release';
  return (
    <Panel title={kindTitles[kind].many} aside={<span className="hint">{own.length}</span>}>
      <table className="objects">
        <caption className="unseen">
          {kindTitles[kind].many}: what waits for a user first, then failures, then the newest
        </caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Phase</th>
            {isRelease ? <th scope="col">Step</th> : null}
            {isRelease ? <th scope="col">Pods</th> : null}
            <th scope="col">Message</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {own.slice(0, most).map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </tbody>
      </table>
      {own.length > most ? (
        <button type="button" onClick={() => setMost(most + portion)}>
          Show {Math.min(portion, own.length - most)} more of {own.length}
        </button>
      ) : null}
    </Panel>
  );
}

const Row = memo(({ row }: { readonly row: OverviewRow }): ReactElement => {
  const { pods } = row;
  return (
    <tr className={row.needsUser ? 'needs-row' : ''}>
      <th scope="row">
        <PageLink to={pathOfText(row.key)}>{row.name}</PageLink>
        <span className="hint">
          {row.objectKind}
          {row.namespace === '' ? '' : ` · ${row.namespace}`}
        </span>
      </th>
      <td>
        <StatusMark word={row.phase} />
      </td>
      {row.kind === 'release' ? (
        <>
          <td data-label="Step">{row.step ?? '–'}</td>
          <td
            data-label="Pods"
            title={
              pods === undefined
                ? ''
                : `${pods.ready} of ${pods.desired} pods are ready, ${pods.updated} have the new revision`
            }
          >
            {pods === undefined ? '–' : `${pods.ready}/${pods.desired} ready`}
            {pods === undefined ? null : <span className="hint">{pods.updated} new</span>}
          </td>
        </>
      ) : null}
      <td className="message text" title={row.message}>
        <span className="clamped">{row.message || row.reason || '–'}</span>
      </td>
      <td data-label="Created">
        <Ago of={row.created} />
      </td>
    </tr>
  );
});
