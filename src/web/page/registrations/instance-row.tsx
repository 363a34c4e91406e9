import { useId, useState, type ReactElement } from 'react';
import type { RegistrationInstance } from '#web/wire/registration-page.ts';
import { topicText } from '#web/wire/topic.ts';
import { useDetail } from '#web/page/browser/tab.ts';
import { StatusMark } from '#web/page/parts/status.tsx';
import { CallDetail } from './call-detail.tsx';

type RowGiven = {
  readonly registration: string;
  readonly instance: RegistrationInstance;
  readonly hasHook: boolean;
};

/** An instance, and on request the last call of the hook about it. */
export function InstanceRow({ registration, instance, hasHook }: RowGiven): ReactElement {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { namespace, name, isReady, reason, message, children } = instance;
  const topic = topicText({ type: 'call', name: registration, instanceNamespace: namespace, instance: name });
  return (
    <>
      <tr>
        <th scope="row">
          {name}
          <span className="hint">{namespace}</span>
        </th>
        <td>
          <StatusMark word={isReady ? 'Ready' : 'NotReady'} />
        </td>
        <td className="message text">{message || (isReady ? '' : reason) || '–'}</td>
        <td className="text">
          {children.map((child) => `${child.kind} ${child.name}`).join(', ') || '–'}
          {hasHook ? (
            <button
              type="button"
              className="small call-button"
              aria-expanded={isOpen}
              aria-controls={id}
              aria-label={`Last call of the hook about ${name}`}
              onClick={() => setOpen(!isOpen)}
            >
              Last call
            </button>
          ) : null}
        </td>
      </tr>
      <tr id={id} hidden={!isOpen}>
        <td colSpan={4}>{isOpen ? <FollowedCall topic={topic} /> : null}</td>
      </tr>
    </>
  );
}

function FollowedCall({ topic }: { readonly topic: string }): ReactElement {
  const state = useDetail(topic);
  if (state.type === 'refused')
    return (
      <p className="text" role="status">
        The call cannot be shown: {state.message}
      </p>
    );
  return state.type === 'object' && state.object.type === 'call' ? (
    <CallDetail page={state.object.page} />
  ) : (
    <p className="hint">Loading …</p>
  );
}
