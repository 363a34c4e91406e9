import type { ReactElement } from 'react';
import type { HistoryRow } from '#releases/decide/view/history-row.ts';
import { pathOf } from '#web/page/model/route.ts';
import { spanOf } from '#web/page/model/show-time.ts';
import { Icon } from '#web/page/parts/icon.tsx';
import { PageLink } from '#web/page/parts/page-link.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { Status, StatusMark } from '#web/page/parts/status.tsx';
import { Time } from '#web/page/parts/time.tsx';

type HistoryGiven = { readonly history: readonly HistoryRow[]; readonly namespace: string };

/** Releases and revisions, newest first, with who did what. */
export function HistoryPanel({ history, namespace }: HistoryGiven): ReactElement | null {
  if (history.length === 0) return null;
  return (
    <Panel title="History" aside={<span className="hint">newest first</span>}>
      <ol className="history">
        {history.map((row) => (
          <li key={`${row.name} ${row.startTime}`}>
            <HistoryEntry row={row} namespace={namespace} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function HistoryEntry({
  row,
  namespace,
}: {
  readonly row: HistoryRow;
  readonly namespace: string;
}): ReactElement {
  return (
    <>
      <div className="history-head">
        <h3>Revision {row.revision === 0 ? row.name : row.revision}</h3>
        {row.outcome === '' ? null : <Status word={row.outcome} />}
        <span className="hint">
          <Time of={row.startTime} />
          {row.durationSeconds === undefined ? '' : ` · ${spanOf(row.durationSeconds)}`}
          {row.pausedSeconds === undefined ? '' : `, of which paused ${spanOf(row.pausedSeconds)}`}
        </span>
      </div>
      <p className="hint text">{row.images.map(({ image }) => image).join(', ')}</p>
      {row.changeCause === undefined ? null : <p className="text">{row.changeCause}</p>}
      {row.message === '' ? null : <p className="text">{row.message}</p>}
      {row.acts.length + row.verdicts.length === 0 ? null : (
        <ul className="deeds">
          {row.verdicts.map(({ step, hookRun, phase = 'Pending' }) => (
            <li key={hookRun}>
              <StatusMark word={phase} /> hook of step {step}:{' '}
              <PageLink to={pathOf({ type: 'hookrun', namespace, name: hookRun })}>{hookRun}</PageLink>
            </li>
          ))}
          {row.acts.map((act, index) => (
            <li key={act.id ?? index} className="text">
              <Icon name="person" /> <strong>{act.by ?? act.manager ?? 'unknown user'}</strong>: {act.verb}
              {act.step === undefined ? '' : ` at step ${act.step}`}
              {act.result === 'Ignored' ? ' (ignored)' : ''}
              {act.reason === undefined || act.reason === '' ? null : <> {<q>{act.reason}</q>}</>}
              {act.time === undefined ? null : (
                <span className="hint">
                  {' '}
                  <Time of={act.time} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
