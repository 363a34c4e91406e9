import type { ReactElement } from 'react';
import type { ReleasePage } from '#web/wire/release-page.ts';
import { Announcer } from '#web/page/parts/announcer.tsx';
import { EventPanel } from '#web/page/parts/event-table.tsx';
import { ObjectHead } from '#web/page/parts/object-head.tsx';
import { ActBar } from './act-bar.tsx';
import { ChangePanel } from './change-panel.tsx';
import { ExplanationPanel } from './explanation-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { HookRunPanel } from './hook-run-panel.tsx';
import { PodPanel } from './pod-panel.tsx';
import { StepPanel } from './step-panel.tsx';

type ReleaseDetailGiven = { readonly page: ReleasePage; readonly topic: string };

/** The page of a GameDeployment or GameStatefulSet. */
export function ReleaseDetail({ page, topic }: ReleaseDetailGiven): ReactElement {
  const { view, explanation, history, changes, charts, events } = page;
  return (
    <div className="release">
      <ObjectHead
        kind={view.kind}
        namespace={view.namespace}
        name={view.name}
        phase={view.phase}
        message={explanation.why.length === 0 ? view.message : ''}
      >
        <ActBar page={page} topic={topic} />
      </ObjectHead>
      <Announcer text={`${view.name} is ${view.phase}. ${view.message}`} />
      <div className="columns">
        <div className="column-main">
          <StepPanel view={view} />
          <PodPanel view={view} />
          <HookRunPanel view={view} charts={charts} />
          <ChangePanel changes={changes} />
          <HistoryPanel history={history} namespace={view.namespace} />
        </div>
        <div className="column-side">
          <ExplanationPanel explanation={explanation} verdict={view.verdict} />
          <EventPanel events={events} />
        </div>
      </div>
    </div>
  );
}
