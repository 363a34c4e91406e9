import type { ReactElement } from 'react';
import type { RegistrationPage } from '#web/wire/registration-page.ts';
import { Announcer } from '#web/page/parts/announcer.tsx';
import { EventPanel } from '#web/page/parts/event-table.tsx';
import { ObjectHead } from '#web/page/parts/object-head.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { StatusMark } from '#web/page/parts/status.tsx';
import { InstanceRow } from './instance-row.tsx';

/** The page of a CRDRegistration: its hook and the instances of its kind. */
export function RegistrationView({ page }: { readonly page: RegistrationPage }): ReactElement {
  const { name, crd, phase, message, hook, instances, events } = page;
  return (
    <div className="registration">
      <ObjectHead kind="CRDRegistration" name={name} phase={phase} message={message} />
      <Announcer text={`${name} is ${phase}. ${message}`} />
      <div className="columns">
        <div className="column-main">
          <Panel title="Instances" aside={<span className="hint">{instances.length}</span>}>
            {instances.length === 0 ? (
              <p className="hint">
                None. Create an object of <code>{crd}</code>, and it appears here.
              </p>
            ) : (
              <table className="objects">
                <caption className="unseen">Instances of {crd}</caption>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Status</th>
                    <th scope="col">Message</th>
                    <th scope="col">Rendered objects</th>
                  </tr>
                </thead>
                <tbody>
                  {instances.map((each) => (
                    <InstanceRow
                      key={`${each.namespace}/${each.name}`}
                      registration={name}
                      instance={each}
                      hasHook={hook.url !== ''}
                    />
                  ))}
                </tbody>
              </table>
            )}
          </Panel>
        </div>
        <div className="column-side">
          <Panel title="Hook">
            <dl className="pairs">
              <dt>Kind</dt>
              <dd className="text">{crd}</dd>
              <dt>URL</dt>
              <dd className="text">{hook.url === '' ? 'none' : hook.url}</dd>
              <dt>Status</dt>
              <dd>
                <StatusMark word={hook.isHealthy ? 'Ready' : 'NotReady'} />
              </dd>
            </dl>
            {hook.message === '' ? null : <p className="text">{hook.message}</p>}
          </Panel>
          <EventPanel events={events} />
        </div>
      </div>
    </div>
  );
}
