import { useState, type ReactElement } from 'react';
import { copyText } from '#web/page/browser/clipboard.ts';

type CodeTextGiven = { readonly text: string; readonly label: string };

/** Text as it is, with a button to copy it. */
export function CodeText({ text, label }: CodeTextGiven): ReactElement {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => setCopied(await copyText(text));
  return (
    <div className="code">
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <button type="button" className="small" onClick={() => void copy()} aria-label={`Copy: ${label}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
