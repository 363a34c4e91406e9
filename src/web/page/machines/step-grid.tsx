import type { ReactElement } from 'react';
import type { ClusterPage, GridCell } from '#web/wire/cluster-page.ts';
import { gridColumns } from '#web/page/model/grid-columns.ts';
import { meaningOf } from '#web/page/model/status-words.ts';
import { Icon, toneIcon } from '#web/page/parts/icon.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { Status } from '#web/page/parts/status.tsx';
import { Time } from '#web/page/parts/time.tsx';

type GridGiven = {
  readonly page: ClusterPage;
  /** `node step`. */
  readonly chosen: string;
  readonly onChoose: (cell: string) => void;
};

/** Nodes and steps as a grid; a click on a cell shows what happened there. */
export function StepGrid({ page, chosen, onChoose }: GridGiven): ReactElement {
  const { nodes, cells } = page;
  const columns = gridColumns(page);
  const cell = cells[chosen];
  return (
    <Panel title="Steps on the nodes" aside={<span className="hint">{nodes.length} nodes</span>}>
      {nodes.length === 0 ? <p className="hint">No operation has been planned yet.</p> : null}
      <div className="grid-frame" tabIndex={0} role="region" aria-label="Grid of nodes and steps">
        <table className="grid">
          <caption className="unseen">State of each step on each node</caption>
          <thead>
            <tr>
              <th scope="col">Node</th>
              {columns.map(({ title }) => (
                <th key={title} scope="col">
                  <span>{title}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <tr key={node}>
                <th scope="row">{node}</th>
                {columns.map(({ title, stepOn }) => {
                  const key = `${node} ${stepOn(node)}`;
                  return (
                    <td key={title}>
                      <CellButton
                        cell={cells[key]}
                        label={`${title} on ${node}`}
                        isChosen={key === chosen}
                        onChoose={() => onChoose(key)}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="cell-detail" role="status" aria-live="polite">
        {cell === undefined ? (
          <p className="hint">Choose a cell to see what happened there.</p>
        ) : (
          <>
            <h3>
              {chosen} <Status word={cell.state} />
            </h3>
            {cell.startedAt === undefined ? null : (
              <p className="hint">
                <Time of={cell.startedAt} />
                {cell.finishedAt === undefined ? '' : ' to '}
                {cell.finishedAt === undefined ? null : <Time of={cell.finishedAt} />}
              </p>
            )}
            <pre className="text">{cell.message === '' ? 'No message.' : cell.message}</pre>
          </>
        )}
      </div>
    </Panel>
  );
}

type CellGiven = {
  readonly cell: GridCell | undefined;
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

function CellButton({ cell, label, isChosen, onChoose }: CellGiven): ReactElement {
  if (cell === undefined) return <span className="hint">–</span>;
  const { tone } = meaningOf(cell.state);
  return (
    <button
      type="button"
      className={`cell tone-${tone}`}
      aria-pressed={isChosen}
      aria-label={`${label}: ${cell.state}`}
      title={`${label}: ${cell.state}${cell.message === '' ? '' : `. ${cell.message}`}`}
      onClick={onChoose}
    >
      <Icon name={toneIcon(tone)} />
    </button>
  );
}
