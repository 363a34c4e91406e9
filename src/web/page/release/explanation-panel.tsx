import type { ReactElement } from 'react';
import type {
  ComingEvent,
  Explanation,
  Remedy,
  WaitingReason,
} from '#releases/decide/explain/explanation.ts';
import type { ReleaseVerdict } from '#releases/decide/view/release-verdict.ts';
import { CodeText } from '#web/page/parts/code-text.tsx';
import { Icon } from '#web/page/parts/icon.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { Status } from '#web/page/parts/status.tsx';
import { Countdown } from '#web/page/parts/time.tsx';

type ExplanationGiven = { readonly explanation: Explanation; readonly verdict: ReleaseVerdict['type'] };

const titles: Readonly<Record<ReleaseVerdict['type'], string>> = {
  complete: 'What happens now',
  progressing: 'What happens now',
  'timed-pause': 'Why is it not moving?',
  'blocked-for-now': 'Why is it not moving?',
  waiting: 'Why is it not moving?',
  failed: 'Why is it not moving?',
};

/** The judgement of the controller, as `boathook release explain` prints it. */
export function ExplanationPanel({ explanation, verdict }: ExplanationGiven): ReactElement {
  const { why, next, remedies, warnings, message, evidence } = explanation;
  const needsUser = verdict === 'waiting' || verdict === 'failed';
  return (
    <Panel title={titles[verdict]} className={needsUser ? 'needs' : ''}>
      {why.length === 0 ? (
        <p className="text">{message === '' ? 'Nothing holds it back.' : message}</p>
      ) : null}
      {why.map((each) => (
        <Reason key={each.reason} reason={each} />
      ))}
      {evidence.pods.length === 0 ? null : (
        <>
          <h3>Pods that are not in service</h3>
          <ul>
            {evidence.pods.map(({ name, cause }) => (
              <li key={name} className="text">
                <strong>{name}</strong>: {cause}
              </li>
            ))}
          </ul>
        </>
      )}
      <Next next={next} />
      <Remedies remedies={remedies} />
      {warnings.map((warning) => (
        <p key={warning} className="warning text">
          <Icon name="warning" /> {warning}
        </p>
      ))}
    </Panel>
  );
}

const Reason = ({ reason }: { readonly reason: WaitingReason }): ReactElement => (
  <div className="reason">
    <Status word={reason.reason} {...(reason.meaning === undefined ? {} : { meaning: reason.meaning })} />
    {reason.messages.map((message) => (
      <p key={message} className="text">
        {message}
      </p>
    ))}
    {reason.more === undefined ? null : <p className="hint">And {reason.more} more.</p>}
  </div>
);

const Next = ({ next }: { readonly next: readonly ComingEvent[] }): ReactElement | null =>
  next.length === 0 ? null : (
    <>
      <h3>Next</h3>
      <ul>
        {next.map(({ what, at }) => (
          <li key={what} className="text">
            {what}
            {at === undefined ? null : (
              <span className="hint">
                {' '}
                (in <Countdown of={at} />)
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );

const Remedies = ({ remedies }: { readonly remedies: readonly Remedy[] }): ReactElement | null =>
  remedies.length === 0 ? null : (
    <>
      <h3>What you can do</h3>
      <ul className="remedies">
        {remedies.map(({ what, command }) => (
          <li key={`${what} ${command ?? ''}`}>
            <span className="text">{what}</span>
            {command === undefined ? null : <CodeText text={command} label={`Command: ${what}`} />}
          </li>
        ))}
      </ul>
    </>
  );
