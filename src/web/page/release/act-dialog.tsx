import { useState, type FormEvent, type ReactElement } from 'react';
import type { OfferedAct, ReleasePage } from '#web/wire/release-page.ts';
import type { ActRequestBody } from '#web/wire/session.ts';
import { requestAct } from '#web/page/browser/requests.ts';
import { showToast } from '#web/page/browser/toasts.ts';
import { Dialog } from '#web/page/parts/dialog.tsx';
import { actLabels } from './act-labels.ts';
import { ImageFields, PromoteFields, UndoFields, type ActFields } from './act-fields.tsx';

type ActDialogGiven = {
  readonly page: ReleasePage;
  readonly topic: string;
  readonly act: OfferedAct;
  /** The state for which the dialog was opened. */
  readonly identity: string;
  readonly onClose: () => void;
};

/** Asks for confirmation and an optional reason, requests the act and shows what became of it. */
export function ActDialog({ page, topic, act, identity, onClose }: ActDialogGiven): ReactElement {
  const [fields, setFields] = useState<ActFields>({});
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const { title, isDanger } = actLabels[act.verb];
  const { view } = page;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const body: ActRequestBody = {
      topic,
      verb: act.verb,
      identity,
      ...fields,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    };
    const answer = await requestAct(body);
    setBusy(false);
    if (answer.type === 'failure') return setRefusal(answer.message);
    const { result, message } = answer.value;
    if (result === 'Refused' || result === 'Invalid' || result === 'Forbidden') return setRefusal(message);
    showToast(message, false);
    onClose();
  };
  return (
    <Dialog title={`${title}: ${view.name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p className="text">{act.summary}</p>
        {act.verb === 'promote' ? <PromoteFields view={view} fields={fields} onChange={setFields} /> : null}
        {act.verb === 'undo' ? <UndoFields page={page} fields={fields} onChange={setFields} /> : null}
        {act.verb === 'set-image' ? <ImageFields view={view} fields={fields} onChange={setFields} /> : null}
        <label htmlFor="reason">
          Reason <span className="hint">(optional; recorded with your name)</span>
        </label>
        <textarea
          id="reason"
          rows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {identity === page.identity ? null : (
          <p className="hint" role="status">
            The release has changed since you opened this dialog. The act is meant for the state that you saw,
            and is refused if it does not fit any more.
          </p>
        )}
        <p className="refusal text" role="alert">
          {refusal}
        </p>
        <div className="dialog-buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className={isDanger ? 'danger' : 'primary'} disabled={isBusy}>
            {isBusy ? 'Waiting for the controller …' : title}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
