import { useState, type FormEvent, type ReactElement } from 'react';
import type { ClusterPage } from '#web/wire/cluster-page.ts';
import { requestAct } from '#web/page/browser/requests.ts';
import { showToast } from '#web/page/browser/toasts.ts';
import { Dialog } from '#web/page/parts/dialog.tsx';
import { useOpening } from '#web/page/parts/use-opening.ts';

type RetryGiven = { readonly page: ClusterPage; readonly topic: string };

/** Executes the failed steps again, as `boathook cluster retry` does; shown when a step has failed. */
export function RetryCluster({ page, topic }: RetryGiven): ReactElement | null {
  const [opened, open] = useOpening<string>();
  const { name, mayRetry, cells } = page;
  if (!Object.values(cells).some(({ state }) => state === 'failed')) return null;
  return (
    <div className="acts">
      <div className="act-buttons">
        <button
          type="button"
          className="primary"
          disabled={!mayRetry.isAllowed}
          aria-describedby={mayRetry.isAllowed ? undefined : 'why-no-retry'}
          onClick={() => open(name)}
        >
          Retry the failed steps
        </button>
      </div>
      {mayRetry.isAllowed ? null : (
        <p id="why-no-retry" className="hint text">
          Retry is not available: {mayRetry.message}
        </p>
      )}
      {opened === undefined ? null : (
        <RetryDialog key={opened.key} name={opened.value} topic={topic} onClose={opened.close} />
      )}
    </div>
  );
}

type DialogGiven = { readonly name: string; readonly topic: string; readonly onClose: () => void };

function RetryDialog({ name, topic, onClose }: DialogGiven): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const answer = await requestAct({ topic, verb: 'retry', identity: '' });
    setBusy(false);
    if (answer.type === 'failure') return setRefusal(answer.message);
    const { result, message } = answer.value;
    if (result === 'Refused' || result === 'Invalid' || result === 'Forbidden') return setRefusal(message);
    showToast(message, false);
    onClose();
  };
  return (
    <Dialog title={`Retry: ${name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p>
          The steps that failed are executed again on their nodes, without waiting for the next automatic
          attempt.
        </p>
        <p className="refusal text" role="alert">
          {refusal}
        </p>
        <div className="dialog-buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isBusy}>
            {isBusy ? 'Retrying …' : 'Retry'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
