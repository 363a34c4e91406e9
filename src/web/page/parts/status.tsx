import { useId, type ReactElement } from 'react';
import { meaningOf, type StatusMeaning } from '#web/page/model/status-words.ts';
import { Icon, toneIcon } from './icon.tsx';

type StatusGiven = { readonly word: string; readonly meaning?: string };

/** A status word with its icon. Its meaning is its title: for tables with many rows. */
export function StatusMark({ word, meaning }: StatusGiven): ReactElement {
  const known = shownAs(word, meaning);
  return (
    <span className={`status tone-${known.tone}`} title={known.meaning}>
      <Icon name={toneIcon(known.tone)} />
      {word}
    </span>
  );
}

/** A status word that explains itself: a click or Enter shows its meaning, Escape hides it. */
export function Status({ word, meaning }: StatusGiven): ReactElement {
  const id = useId();
  const known = shownAs(word, meaning);
  const text = known.meaning;
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

/** A reason that has its own meaning holds something back. */
const shownAs = (word: string, meaning: string | undefined): StatusMeaning => {
  const known = meaningOf(word);
  if (meaning === undefined) return known;
  return { tone: known.isKnown ? known.tone : 'waiting', meaning };
};
