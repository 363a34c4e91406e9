import { useState, type ReactElement } from 'react';
import type { Overview } from '#web/wire/overview.ts';
import { requestAct } from '#web/page/browser/requests.ts';
import { showToast } from '#web/page/browser/toasts.ts';

type Examples = Overview['examples'];

/** The examples of an embedded cluster, each with a button that loads it. */
export function ExampleCards({ examples }: { readonly examples: Examples }): ReactElement | null {
  const [busy, setBusy] = useState('');
  if (examples.length === 0) return null;
  const load = async (id: string): Promise<void> => {
    setBusy(id);
    const answer = await requestAct({ topic: id, verb: 'load-example', identity: '' });
    setBusy('');
    const isDone =
      answer.type === 'answer' && (answer.value.result === 'Done' || answer.value.result === 'Requested');
    showToast(answer.type === 'answer' ? answer.value.message : answer.message, !isDone);
  };
  return (
    <ul className="examples">
      {examples.map(({ id, title, text }) => (
        <li key={id} className="panel example">
          <h2>{title}</h2>
          <p>{text}</p>
          <button type="button" className="primary" disabled={busy !== ''} onClick={() => void load(id)}>
            {busy === id ? 'Loading …' : 'Load this example'}
            <span className="unseen">: {title}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
