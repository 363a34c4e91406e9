import type { ReactElement } from 'react';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import type { RunView } from '#releases/decide/view/run-view.ts';
import type { MetricChart } from '#web/wire/hook-pages.ts';
import { pathOf } from '#web/page/model/route.ts';
import { MetricPanel } from '#web/page/parts/metric-panel.tsx';
import { PageLink } from '#web/page/parts/page-link.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { Status } from '#web/page/parts/status.tsx';
import { Ago } from '#web/page/parts/time.tsx';

type HookRunPanelGiven = {
  readonly view: ReleaseView;
  readonly charts: Readonly<Record<string, readonly MetricChart[]>>;
};

/** The hook runs of this release, newest first, with their measurements. */
export function HookRunPanel({ view, charts }: HookRunPanelGiven): ReactElement | null {
  const runs = view.revisions.flatMap((revision) => revision.runs).toReversed();
  if (runs.length === 0) return null;
  return (
    <Panel title="Hook runs" aside={<span className="hint">{runs.length}</span>}>
      {runs.map((run) => (
        <article key={run.name} className="run" aria-label={`Hook run ${run.name}`}>
          <header className="run-head">
            <h3>
              <PageLink to={pathOf({ type: 'hookrun', namespace: view.namespace, name: run.name })}>
                {run.name}
              </PageLink>
            </h3>
            <Status word={run.phase} />
            <span className="hint">
              {placeOf(run)} · <Ago of={run.created} />
            </span>
          </header>
          {run.message === '' ? null : <p className="text">{run.message}</p>}
          {(charts[run.name] ?? []).map((chart) => (
            <MetricPanel key={chart.metric} chart={chart} heading="h4" />
          ))}
        </article>
      ))}
    </Panel>
  );
}

function placeOf({ point, step, instance }: RunView): string {
  if (step !== undefined) return `hook of step ${step}`;
  return instance === undefined ? point : `${point} of pod ${instance}`;
}
