import { useState, type ReactElement } from 'react';
import type { ClusterPage } from '#web/wire/cluster-page.ts';
import { Announcer } from '#web/page/parts/announcer.tsx';
import { EventPanel } from '#web/page/parts/event-table.tsx';
import { ObjectHead } from '#web/page/parts/object-head.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { StatusMark } from '#web/page/parts/status.tsx';
import { Ago } from '#web/page/parts/time.tsx';
import { OutputPanel } from './output-panel.tsx';
import { RetryCluster } from './retry-cluster.tsx';
import { StepGrid } from './step-grid.tsx';

type ClusterViewGiven = { readonly page: ClusterPage; readonly topic: string };

/** The page of a Cluster of machines. */
export function ClusterView({ page, topic }: ClusterViewGiven): ReactElement {
  const { name, phase, version, message, operation, conditions, events } = page;
  const [chosen, setChosen] = useState('');
  return (
    <div className="cluster">
      <ObjectHead kind="Cluster" name={name} phase={phase} message={message}>
        <RetryCluster page={page} topic={topic} />
      </ObjectHead>
      <Announcer text={`${name} is ${phase}. ${message}`} />
      <p className="hint">
        {version === '' ? null : `Kubernetes ${version}`}
        {operation === '' ? null : ` · operation ${operation}`}
      </p>
      <StepGrid page={page} chosen={chosen} onChoose={setChosen} />
      <OutputPanel page={page} cell={chosen} />
      <div className="columns">
        <div className="column-main">
          <Panel title="Conditions">
            {conditions.length === 0 ? (
              <p className="hint">None yet.</p>
            ) : (
              <table className="objects conditions">
                <caption className="unseen">Conditions of the cluster</caption>
                <thead>
                  <tr>
                    <th scope="col">Type</th>
                    <th scope="col">Status</th>
                    <th scope="col">Message</th>
                    <th scope="col">Since</th>
                  </tr>
                </thead>
                <tbody>
                  {conditions.map((each) => (
                    <tr key={each.type}>
                      <th scope="row">{each.type}</th>
                      <td>
                        <StatusMark word={each.status} />
                      </td>
                      <td className="message text">
                        {each.reason === '' ? '' : `${each.reason}: `}
                        {each.message}
                      </td>
                      <td>
                        <Ago of={each.time} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </Panel>
        </div>
        <div className="column-side">
          <EventPanel events={events} />
        </div>
      </div>
    </div>
  );
}
