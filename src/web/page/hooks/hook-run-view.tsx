import type { ReactElement } from 'react';
import type { HookRunPage } from '#web/wire/hook-pages.ts';
import { pathOfText } from '#web/page/model/route.ts';
import { Announcer } from '#web/page/parts/announcer.tsx';
import { EventPanel } from '#web/page/parts/event-table.tsx';
import { MetricPanel } from '#web/page/parts/metric-panel.tsx';
import { ObjectHead } from '#web/page/parts/object-head.tsx';
import { PageLink } from '#web/page/parts/page-link.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { Time } from '#web/page/parts/time.tsx';

/** The page of a HookRun: its verdict, and what led to it. */
export function HookRunView({ page }: { readonly page: HookRunPage }): ReactElement {
  const { run, namespace, release, charts, args, events } = page;
  return (
    <div className="hook-run">
      <ObjectHead
        kind="HookRun"
        namespace={namespace}
        name={run.name}
        phase={run.phase}
        message={run.message}
      />
      <Announcer text={`${run.name} is ${run.phase}. ${run.message}`} />
      <div className="columns">
        <div className="column-main">
          <Panel title="Measurements">
            {charts.length === 0 ? <p className="hint">This run has no metrics.</p> : null}
            {charts.map((chart) => (
              <MetricPanel key={chart.metric} chart={chart} heading="h3" />
            ))}
          </Panel>
        </div>
        <div className="column-side">
          <Panel title="About">
            <dl className="pairs">
              <dt>Asked for by</dt>
              <dd>
                {run.step === undefined ? run.point || 'a user' : `step ${run.step}`}
                {run.instance === undefined ? '' : ` of pod ${run.instance}`}
              </dd>
              {release === undefined ? null : (
                <>
                  <dt>Release</dt>
                  <dd>
                    <PageLink to={pathOfText(release)}>
                      {release.slice(release.lastIndexOf('/') + 1)}
                    </PageLink>
                  </dd>
                </>
              )}
              <dt>Created</dt>
              <dd>
                <Time of={run.created} />
              </dd>
              {run.finishedAt === undefined ? null : (
                <>
                  <dt>Finished</dt>
                  <dd>
                    <Time of={run.finishedAt} />
                  </dd>
                </>
              )}
            </dl>
            <Arguments args={args} />
          </Panel>
          <EventPanel events={events} />
        </div>
      </div>
    </div>
  );
}

const Arguments = ({ args }: Pick<HookRunPage, 'args'>): ReactElement | null =>
  args.length === 0 ? null : (
    <>
      <h3>Arguments</h3>
      <dl className="pairs">
        {args.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="text">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
