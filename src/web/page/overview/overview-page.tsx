import { useEffect, useMemo, useState, type ReactElement } from 'react';
import { setTitle } from '#web/page/browser/title.ts';
import { useTopic } from '#web/page/browser/tab.ts';
import { filterRows, isFiltering, noFilter, sortRows } from '#web/page/model/filter-rows.ts';
import type { KeptOverview } from '#web/page/model/tab-state.ts';
import { Announcer } from '#web/page/parts/announcer.tsx';
import { CodeText } from '#web/page/parts/code-text.tsx';
import { Notice } from '#web/page/parts/notice.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { ExampleCards } from './example-cards.tsx';
import { KindTable } from './kind-table.tsx';
import { NeedsUser } from './needs-user.tsx';
import { OverviewFilter } from './overview-filter.tsx';
import { overviewKinds, type OverviewRow } from '#web/wire/overview.ts';
import { PhaseCounts } from './phase-counts.tsx';
import { WordList } from './word-list.tsx';

/** Everything at a glance, what waits for a user first. */
export function OverviewPage(): ReactElement {
  const state = useTopic('overview');
  useEffect(() => setTitle('Overview'), []);
  if (state.type === 'refused') return <Notice title="Overview" text={state.message} />;
  if (state.type !== 'overview') return <Notice title="Overview" text="Loading …" isBusy />;
  return <LoadedOverview overview={state.overview} />;
}

function LoadedOverview({ overview }: { readonly overview: KeptOverview }): ReactElement {
  const [filter, setFilter] = useState(noFilter);
  const rows = useMemo(() => sortRows(overview.rows.values()), [overview.rows]);
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter]);
  const waiting = rows.filter(({ needsUser }) => needsUser);
  const isEmpty = rows.length === 0;
  return (
    <div className="overview">
      <h1 tabIndex={-1}>Overview</h1>
      <Announcer text={waitingText(waiting)} />
      {isEmpty ? <EmptyText overview={overview} /> : null}
      {isEmpty ? <ExampleCards examples={overview.examples} /> : null}
      {isEmpty ? null : (
        <>
          <NeedsUser rows={waiting} />
          <PhaseCounts rows={rows} filter={filter} onFilter={setFilter} />
          <OverviewFilter rows={rows} filter={filter} onFilter={setFilter} found={shown.length} />
          {overviewKinds.map((kind) => (
            <KindTable key={kind} kind={kind} rows={shown} />
          ))}
          {shown.length === 0 && isFiltering(filter) ? (
            <p className="hint">
              Nothing matches.{' '}
              <button type="button" className="linkish" onClick={() => setFilter(noFilter)}>
                Show everything
              </button>
            </p>
          ) : null}
        </>
      )}
      {overview.left > 0 ? (
        <p className="hint">{overview.left} more objects are not sent to this page.</p>
      ) : null}
      {overview.missing.map(({ message }) => (
        <p key={message} className="hint text">
          {message}
        </p>
      ))}
      {isEmpty || overview.examples.length === 0 ? null : (
        <details className="more-examples">
          <summary>Examples</summary>
          <ExampleCards examples={overview.examples} />
        </details>
      )}
      <WordList />
    </div>
  );
}

/** What is read aloud: how many, and the first of them. */
function waitingText(waiting: readonly OverviewRow[]): string {
  const [first] = waiting;
  return first === undefined ? '' : `${waiting.length} wait for a user. ${first.name}: ${first.message}`;
}

const firstRelease = `kubectl apply -f examples/canary/hooktemplate.yaml \\
  -f examples/canary/gamedeployment.yaml`;

const EmptyText = ({ overview }: { readonly overview: KeptOverview }): ReactElement => (
  <div className="empty">
    <p className="lead">
      {overview.missing.length === 0
        ? 'This cluster has no release, hook run, cluster or registration yet.'
        : 'There is nothing that you may see. What cannot be listed is below, with the reason.'}
    </p>
    {overview.examples.length > 0 ? (
      <p>Load an example: one click creates its objects, and this page follows them.</p>
    ) : (
      <Panel title="Create the first release">
        <p>
          Apply a GameDeployment or a GameStatefulSet, and it appears here within a moment. From a checkout:
        </p>
        <CodeText text={firstRelease} label="Command that creates the example" />
      </Panel>
    )}
  </div>
);
