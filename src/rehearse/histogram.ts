import type { Bin } from './bins.ts';
import { htmlText } from './html-page.ts';

const [width, height, left, right, top, bottom] = [400, 150, 40, 4, 12, 24];
const [plotWidth, plotHeight] = [width - left - right, height - top - bottom];

export type HistogramTexts<Type> = {
  readonly label: string;
  readonly valueText: ValueText;
  /** What rehearsals of an outcome do, in the order of the parts of a bar from below. */
  readonly outcomeTexts: Readonly<Record<Type & string, string>>;
};

type ValueText = (value: number) => string;

/** How many rehearsals have which value, as an SVG: a bar for each bin, a part of it for each outcome. */
export function histogram<Type extends string>(
  bins: readonly Bin<Type>[],
  { label, valueText, outcomeTexts }: HistogramTexts<Type>,
): string {
  const most = bins.reduce((highest, bin) => Math.max(highest, totalOf(bin)), 1);
  const slot = Math.min(plotWidth / Math.max(1, bins.length), 72);
  return [
    `<svg class="small" viewBox="0 0 ${width} ${height}" role="img" aria-label="${htmlText(label)}">`,
    `<line class="base" x1="${left}" x2="${width - right}" y1="${top + plotHeight}" y2="${top + plotHeight}"/>`,
    ...bins.flatMap((bin, i) => barOf(bin, { x: left + i * slot, slot, most, valueText, outcomeTexts })),
    ...[0, most].map(
      (count) =>
        `<text class="count" x="${left - 6}" y="${round(top + plotHeight * (1 - count / most) + 4)}">${count}</text>`,
    ),
    ...valueLabels(bins, slot, valueText),
    '</svg>',
  ].join('\n');
}

type BarPlace<Type extends string> = Omit<HistogramTexts<Type>, 'label'> & {
  readonly x: number;
  readonly slot: number;
  readonly most: number;
};

function barOf<Type extends string>(
  bin: Bin<Type>,
  { x, slot, most, valueText, outcomeTexts }: BarPlace<Type>,
): readonly string[] {
  let below = 0;
  return (Object.keys(outcomeTexts) as Type[]).flatMap((type) => {
    const runs = bin.runs.get(type) ?? 0;
    if (runs === 0) return [];
    below += runs;
    const y = top + plotHeight * (1 - below / most);
    const title = `${rangeText(bin, valueText)}: ${runs} ${outcomeTexts[type]}`;
    return [
      `<rect class="part ${type}" x="${round(x + 1)}" y="${round(y)}" width="${round(slot - 2)}" height="${round((plotHeight * runs) / most)}"><title>${htmlText(title)}</title></rect>`,
    ];
  });
}

const rangeText = ({ from, to }: Bin<unknown>, valueText: ValueText): string =>
  from === to ? valueText(from) : `${valueText(from)} to ${valueText(to)}`;

/** A value under each bar if there is room, otherwise the first and the last. */
function valueLabels(bins: readonly Bin<unknown>[], slot: number, valueText: ValueText): readonly string[] {
  const text = (style: string, x: number, value: number): string =>
    `<text class="${style}" x="${round(x)}" y="${height - 6}">${htmlText(valueText(value))}</text>`;
  const isRoomy = bins.every(({ from, to }) => from === to && valueText(from).length * 8 <= slot);
  if (isRoomy) return bins.map(({ from }, i) => text('time', left + (i + 0.5) * slot, from));
  const [first, last] = [bins[0], bins.at(-1)];
  return first === undefined || last === undefined
    ? []
    : [text('name', left, first.from), text('time last', left + bins.length * slot, last.to)];
}

const totalOf = ({ runs }: Bin<unknown>): number => [...runs.values()].reduce((sum, some) => sum + some, 0);
const round = (value: number): number => Math.round(value * 10) / 10;
