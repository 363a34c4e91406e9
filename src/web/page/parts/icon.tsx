import type { ReactElement } from 'react';
import type { StatusTone } from '#web/page/model/status-words.ts';

const paths = {
  good: 'M3.5 8.5l3 3 6-7',
  running: 'M8 2.5a5.5 5.5 0 1 1-5.2 3.7M2.5 2.5v3.8h3.8',
  waiting: 'M5.5 3.5v9M10.5 3.5v9',
  bad: 'M4 4l8 8M12 4l-8 8',
  quiet: 'M8 8h.01M4 8h.01M12 8h.01',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5l3 3',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13.5 9.5A6 6 0 1 1 6.5 2.5a5 5 0 0 0 7 7z',
  screen: 'M2 3h12v8H2zM5.5 14h5',
  person: 'M8 2.5a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4zM2.8 14c.4-3 2.4-4.5 5.2-4.5s4.8 1.5 5.2 4.5',
  warning: 'M8 2l6.5 11.5h-13zM8 6.5v3M8 11.8h.01',
  next: 'M6 3.5L10.5 8 6 12.5',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside a word: screen readers read the word. */
export const Icon = ({ name }: { readonly name: IconName }): ReactElement => (
  <svg className={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);

export const toneIcon = (tone: StatusTone): IconName => tone;
