import { parseTime } from '#base/time.ts';

/** Go's error for a text that is not a time; undefined when it is one. */
export function timeFault(text: string, form: 'time' | 'microtime'): string | undefined {
  const isRight = parseTime(text) !== undefined && (form === 'time' || sixDigits.test(text));
  return isRight ? undefined : describe(text, layouts[form]);
}

const sixDigits = /\.\d{6}(?:\D|$)/;

type Piece = {
  readonly word: string;
  readonly form: RegExp;
  readonly range?: readonly [string, number, number];
};
type Layout = { readonly text: string; readonly pieces: readonly Piece[] };

const literal = (word: string): Piece => ({ word, form: new RegExp(`^${word}`) });
const zone: Piece = { word: 'Z07:00', form: /^(?:Z|[+-]\d\d:\d\d)/ };

const dateAndTime: readonly Piece[] = [
  { word: '2006', form: /^\d{4}/ },
  literal('-'),
  { word: '01', form: /^\d\d/, range: ['month', 1, 12] },
  literal('-'),
  { word: '02', form: /^\d\d/, range: ['day', 1, 31] },
  literal('T'),
  { word: '15', form: /^\d\d?/, range: ['hour', 0, 23] },
  literal(':'),
  { word: '04', form: /^\d\d/, range: ['minute', 0, 59] },
  literal(':'),
];

const layouts: Readonly<Record<'time' | 'microtime', Layout>> = {
  time: {
    text: '2006-01-02T15:04:05Z07:00',
    pieces: [...dateAndTime, { word: '05', form: /^\d\d(?:[.,]\d+)?/, range: ['second', 0, 59] }, zone],
  },
  microtime: {
    text: '2006-01-02T15:04:05.000000Z07:00',
    pieces: [
      ...dateAndTime,
      { word: '05', form: /^\d\d/, range: ['second', 0, 59] },
      { word: '.000000', form: /^\.\d{6}/ },
      zone,
    ],
  },
};

function describe(text: string, { text: layout, pieces }: Layout): string {
  const quoted = JSON.stringify(text);
  let rest = text;
  for (const { word, form, range } of pieces) {
    const found = form.exec(rest)?.[0];
    if (found === undefined)
      return `parsing time ${quoted} as "${layout}": cannot parse ${JSON.stringify(rest)} as "${word}"`;
    const value = Number.parseInt(found, 10);
    if (range !== undefined && (value < range[1] || value > range[2])) {
      return `parsing time ${quoted}: ${range[0]} out of range`;
    }
    rest = rest.slice(found.length);
  }
  return rest === ''
    ? `parsing time ${quoted}: day out of range`
    : `parsing time ${quoted}: extra text: ${JSON.stringify(rest)}`;
}
