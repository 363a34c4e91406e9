import { useId, useState, type ReactElement } from 'react';
import type { ClusterPage, OutputRow } from '#web/wire/cluster-page.ts';
import { topicText } from '#web/wire/topic.ts';
import { Panel } from '#web/page/parts/panel.tsx';
import { OutputText } from './output-text.tsx';

type OutputGiven = {
  readonly page: ClusterPage;
  /** The cell of the grid that the user has chosen: `node step`. */
  readonly cell: string;
};

/** The output of the scripts, live: of the cell that is chosen, of a script that runs, or the last one. */
export function OutputPanel({ page, cell }: OutputGiven): ReactElement {
  const { outputs } = page;
  if (outputs.type === 'unavailable')
    return (
      <Panel title="Output of the scripts">
        <p className="text" role="status">
          No output can be shown: {outputs.message}
        </p>
      </Panel>
    );
  if (outputs.rows.length === 0)
    return (
      <Panel title="Output of the scripts">
        <p className="hint">No script has run yet.</p>
      </Panel>
    );
  return <Outputs key={cell} name={page.name} rows={outputs.rows} cell={cell} />;
}

type OutputsGiven = {
  readonly name: string;
  readonly rows: readonly OutputRow[];
  readonly cell: string;
};

function Outputs({ name, rows, cell }: OutputsGiven): ReactElement {
  const id = useId();
  const [chosen, setChosen] = useState('');
  const topicOf = (row: OutputRow): string => topicText({ type: 'output', name, ...row });
  const row = rows.find((each) => topicOf(each) === chosen) ?? usualRow(rows, cell);
  const ofCell = rows.some((each) => cellOf(each) === cell);
  return (
    <Panel title="Output of the scripts" aside={<span className="hint">{rows.length} outputs</span>}>
      {cell === '' || ofCell ? null : <p className="hint">{cell} has no output.</p>}
      <div className="output-choice">
        <label htmlFor={id}>Script</label>
        <select
          id={id}
          value={row === undefined ? '' : topicOf(row)}
          onChange={(event) => setChosen(event.target.value)}
        >
          {rows.map((each) => (
            <option key={topicOf(each)} value={topicOf(each)}>
              {titleOf(each)}
            </option>
          ))}
        </select>
      </div>
      {row === undefined ? null : (
        <OutputText key={topicOf(row)} topic={topicOf(row)} row={row} name={name} />
      )}
    </Panel>
  );
}

const cellOf = ({ node, step }: OutputRow): string => `${node} ${step}`;

const titleOf = ({ node, step, attempt, isRunning }: OutputRow): string =>
  `${step} on ${node}${attempt > 1 ? `, attempt ${attempt}` : ''}${isRunning ? ' (running)' : ''}`;

const usualRow = (rows: readonly OutputRow[], cell: string): OutputRow | undefined =>
  rows.findLast((each) => cellOf(each) === cell) ?? rows.find(({ isRunning }) => isRunning) ?? rows.at(-1);
