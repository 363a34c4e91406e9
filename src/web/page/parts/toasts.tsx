import type { ReactElement } from 'react';
import { closeToast, useToasts } from '#web/page/browser/toasts.ts';
import { Icon } from './icon.tsx';

/** Messages about acts of the user, read aloud when they appear. */
export function Toasts(): ReactElement {
  const toasts = useToasts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, isBad, text }) => (
        <p key={id} className={`toast ${isBad ? 'tone-bad' : 'tone-good'}`}>
          <Icon name={isBad ? 'bad' : 'good'} />
          <span className="text">{text}</span>
          <button
            type="button"
            className="small"
            onClick={() => closeToast(id)}
            aria-label="Close this message"
          >
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
