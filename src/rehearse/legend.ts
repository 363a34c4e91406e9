import { htmlText } from './html-page.ts';

/** The words for the colours of a chart, each beside its colour. `key`: the class of the colour. */
export const legend = (items: readonly (readonly [key: string, words: string])[]): string =>
  items
    .map(([key, words]) => `<span class="item"><span class="key ${key}"></span>${htmlText(words)}</span>`)
    .join(' ');
