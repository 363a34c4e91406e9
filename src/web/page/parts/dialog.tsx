import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react';

type DialogGiven = { readonly title: string; readonly onClose: () => void; readonly children: ReactNode };

/** A modal dialog: the browser keeps the focus inside, Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogGiven): ReactElement {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} className="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
