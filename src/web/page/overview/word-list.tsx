import type { ReactElement } from 'react';
import { meaningOf } from '#web/page/model/status-words.ts';
import { StatusMark } from '#web/page/parts/status.tsx';

const words = [
  'Progressing',
  'Paused',
  'Blocked',
  'Complete',
  'Running',
  'Successful',
  'Failed',
  'Error',
  'Inconclusive',
];

/** What the status words of the tables mean. */
export const WordList = (): ReactElement => (
  <details className="words">
    <summary>What the words mean</summary>
    <dl className="pairs">
      {words.map((word) => (
        <div key={word}>
          <dt>
            <StatusMark word={word} />
          </dt>
          <dd>{meaningOf(word).meaning}</dd>
        </div>
      ))}
    </dl>
  </details>
);
