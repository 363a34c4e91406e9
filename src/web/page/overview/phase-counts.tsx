import type { ReactElement } from 'react';
import { overviewKinds, type OverviewRow } from '#web/wire/overview.ts';
import { countPhases, type RowFilter } from '#web/page/model/filter-rows.ts';
import { StatusMark } from '#web/page/parts/status.tsx';
import { kindTitles } from './kind-titles.ts';

type CountsGiven = {
  readonly rows: readonly OverviewRow[];
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
};

/** How many of each kind are in each phase; a click filters by it. */
export function PhaseCounts({ rows, filter, onFilter }: CountsGiven): ReactElement {
  return (
    <ul className="counts" aria-label="Objects by phase">
      {overviewKinds.map((kind) => {
        const own = rows.filter((row) => row.kind === kind);
        if (own.length === 0) return null;
        return (
          <li key={kind} className="count-card">
            <p>
              <span className="big">{own.length}</span>{' '}
              {own.length === 1 ? kindTitles[kind].one : kindTitles[kind].many.toLowerCase()}
            </p>
            <div className="count-phases">
              {countPhases(own).map(({ phase, count }) => {
                const isChosen = filter.kind === kind && filter.phase === phase;
                return (
                  <button
                    key={phase}
                    type="button"
                    className="count"
                    aria-pressed={isChosen}
                    onClick={() =>
                      onFilter({ ...filter, kind: isChosen ? '' : kind, phase: isChosen ? '' : phase })
                    }
                  >
                    <StatusMark word={phase} /> {count}
                  </button>
                );
              })}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
