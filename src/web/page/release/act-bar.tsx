import type { ReactElement } from 'react';
import type { OfferedAct, ReleasePage } from '#web/wire/release-page.ts';
import { useOpening } from '#web/page/parts/use-opening.ts';
import { ActDialog } from './act-dialog.tsx';
import { actLabels } from './act-labels.ts';

type ActBarGiven = { readonly page: ReleasePage; readonly topic: string };
type OpenedAct = { readonly act: OfferedAct; readonly identity: string };

/** The acts that make sense now as buttons; the others with the reason why not. */
export function ActBar({ page, topic }: ActBarGiven): ReactElement {
  const [opened, open] = useOpening<OpenedAct>();
  const useful = page.acts.filter(({ isUseful }) => isUseful);
  const others = page.acts.filter(({ isUseful }) => !isUseful);
  // A failed hook needs a decision: no button is the obvious one.
  const hasObvious = !page.view.steps.some(({ state }) => state === 'failed');
  const denied = useful.filter(({ permission }) => !permission.isAllowed);
  return (
    <div className="acts">
      <div className="act-buttons" role="group" aria-label="Acts">
        {useful.map((act, index) => (
          <ActButton
            key={act.verb}
            act={act}
            isObvious={index === 0 && hasObvious}
            onOpen={() => open({ act, identity: page.identity })}
          />
        ))}
        {others.length === 0 ? null : (
          <details className="other-acts">
            <summary>Other acts</summary>
            <dl>
              {others.map(({ verb, summary, permission }) => (
                <div key={verb}>
                  <dt>
                    <button type="button" disabled>
                      {actLabels[verb].title}
                    </button>
                  </dt>
                  <dd className="text">{permission.isAllowed ? summary : permission.message}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
      {denied.map(({ verb, permission }) => (
        <p key={verb} id={`why-not-${verb}`} className="hint text">
          {actLabels[verb].title} is not available: {permission.message}
        </p>
      ))}
      {opened === undefined ? null : (
        <ActDialog
          key={opened.key}
          page={page}
          topic={topic}
          act={opened.value.act}
          identity={opened.value.identity}
          onClose={opened.close}
        />
      )}
    </div>
  );
}

type ActButtonGiven = { readonly act: OfferedAct; readonly isObvious: boolean; readonly onOpen: () => void };

function ActButton({ act, isObvious, onOpen }: ActButtonGiven): ReactElement {
  const { verb, permission, summary } = act;
  const { title, isDanger } = actLabels[verb];
  const look = isDanger ? 'danger' : isObvious ? 'primary' : '';
  return (
    <button
      type="button"
      className={look}
      disabled={!permission.isAllowed}
      title={permission.isAllowed ? summary : permission.message}
      aria-describedby={permission.isAllowed ? undefined : `why-not-${verb}`}
      onClick={onOpen}
    >
      {title}
    </button>
  );
}
