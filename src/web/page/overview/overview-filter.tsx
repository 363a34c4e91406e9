import { useRef, type ReactElement } from 'react';
import { overviewKinds, type OverviewRow } from '#web/wire/overview.ts';
import { useSearchKey } from '#web/page/browser/search-key.ts';
import { isFiltering, noFilter, type RowFilter } from '#web/page/model/filter-rows.ts';
import { Icon } from '#web/page/parts/icon.tsx';
import { kindTitles } from './kind-titles.ts';

type FilterGiven = {
  readonly rows: readonly OverviewRow[];
  readonly filter: RowFilter;
  readonly found: number;
  readonly onFilter: (filter: RowFilter) => void;
};

/** The fields that choose what the tables show. */
export function OverviewFilter({ rows, filter, found, onFilter }: FilterGiven): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  useSearchKey(field);
  return (
    <form role="search" className="filter" onSubmit={(event) => event.preventDefault()}>
      <div className="search">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          value={filter.text}
          placeholder="Name, image or label (app=web)"
          aria-label="Search by name, image or label"
          aria-keyshortcuts="/"
          onChange={(event) => onFilter({ ...filter, text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onFilter({ ...filter, text: '' });
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      <Choice
        label="Kind"
        value={filter.kind}
        options={overviewKinds.map((kind) => [kind, kindTitles[kind].many] as const)}
        onChange={(value) =>
          onFilter({ ...filter, kind: overviewKinds.find((kind) => kind === value) ?? '' })
        }
      />
      <Choice
        label="Namespace"
        value={filter.namespace}
        options={distinct(rows.map(({ namespace }) => namespace))}
        onChange={(namespace) => onFilter({ ...filter, namespace })}
      />
      <Choice
        label="Phase"
        value={filter.phase}
        options={distinct(rows.map(({ phase }) => phase))}
        onChange={(phase) => onFilter({ ...filter, phase })}
      />
      <output className="hint">
        {isFiltering(filter) ? `${found} of ${rows.length}` : `${rows.length} objects`}
      </output>
      {isFiltering(filter) ? (
        <button type="button" className="small" onClick={() => onFilter(noFilter)}>
          Show everything
        </button>
      ) : null}
    </form>
  );
}

const distinct = (values: readonly string[]): readonly (readonly [string, string])[] =>
  [...new Set(values)]
    .filter((value) => value !== '')
    .toSorted()
    .map((value) => [value, value] as const);

type ChoiceGiven = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
};

const Choice = ({ label, value, options, onChange }: ChoiceGiven): ReactElement => (
  <label className="choice">
    <span>{label}</span>
    <select value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">all</option>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
