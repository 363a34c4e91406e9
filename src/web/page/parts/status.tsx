import { useId, type ReactElement } from 'react';
import { meaningOf } from '#web/page/model/status-words.ts';
import { Icon, toneIcon } from './icon.tsx';

type StatusGiven = { readonly word: string; readonly meaning?: string };

/** A status word with its icon. Its meaning is its title: for tables with many rows. */
export function StatusMark({ word, meaning }: StatusGiven): ReactElement {
  const known = meaningOf(word);
  return (
    <span className={`status tone-${known.tone}`} title={meaning ?? known.meaning}>
      <Icon name={toneIcon(known.tone)} />
      {word}
    </span>
  );
}

/** A status word that explains itself: a click or Enter shows its meaning, Escape hides it. */
export function Status({ word, meaning }: StatusGiven): ReactElement {
  const id = useId();
  const known = meaningOf(word);
  const text = meaning ?? known.meaning;
  return (
    <>
      <button type="button" className={`status tone-${known.tone}`} popoverTarget={id} title={text}>
        <Icon name={toneIcon(known.tone)} />
        {word}
      </button>
      <span id={id} popover="auto" className="meaning">
        <strong>{word}</strong>: {text}
      </span>
    </>
  );
}
