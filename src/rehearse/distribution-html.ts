import { countText } from '#base/text.ts';
import { binsFor, binsOf } from './bins.ts';
import type { OutcomeDuration } from './durations.ts';
import { histogram } from './histogram.ts';
import { htmlText as text } from './html-page.ts';
import type { OutcomeShare } from './outcome-share.ts';
import { spanText } from './span-text.ts';

export type ShareTexts<Type extends string> = {
  /** The number of all rehearsals. */
  readonly runs: number;
  readonly outcomeTexts: Readonly<Record<Type, string>>;
  /** The section with the example of a seed. */
  readonly idOf: (seed: number) => string;
};

/** The outcomes as a list with bars and links to an example of each. */
export const sharesHtml = <Type extends string>(
  shares: readonly OutcomeShare<Type>[],
  texts: ShareTexts<Type>,
): string => `<h2>Outcomes</h2>
<ul class="shares">
${shares.map((share) => shareItem(share, texts)).join('\n')}
</ul>`;

const shareItem = <Type extends string>(
  { type, runs, seed, message }: OutcomeShare<Type>,
  { runs: all, outcomeTexts, idOf }: ShareTexts<Type>,
): string =>
  `<li class="${type}"><strong>${runs} of ${all} (${percentText(runs, all)})</strong> ${text(outcomeTexts[type])}${message === '' ? '' : `: ${text(message)}`} (for instance <a href="#${idOf(seed)}">--seed ${seed}</a>)
<div class="share"><div class="part ${type}" style="width: ${(100 * runs) / all}%"></div></div></li>`;

/** Neither some as none nor most as all. */
export function percentText(part: number, all: number): string {
  const percent = Math.round((100 * part) / all);
  if (percent === 0 && part > 0) return 'under 1 %';
  return percent === 100 && part < all ? 'over 99 %' : `${percent} %`;
}

export type Durations<Type extends string> = {
  readonly durations: readonly OutcomeDuration<Type>[];
  readonly values: readonly { readonly seconds: number; readonly type: Type }[];
  readonly outcomeTexts: Readonly<Record<Type, string>>;
  /** Until when the time is counted. */
  readonly until: string;
};

export function durationsHtml<Type extends string>({
  durations,
  values,
  outcomeTexts,
  until,
}: Durations<Type>): string {
  const runs = values.length;
  const rounded = values.map(({ seconds, type }) => ({ value: Math.round(seconds), type }));
  const seconds = values.map((each) => each.seconds);
  const label = `Durations of ${countText(runs, 'rehearsal')}, from ${spanText(Math.min(...seconds))} to ${spanText(Math.max(...seconds))}`;
  return distributionHtml('Duration', {
    chart: histogram(binsOf(rounded, binsFor(runs)), { label, valueText: spanText, outcomeTexts }),
    numbers: durationNumbers(durations, outcomeTexts),
    note: `Rehearsals by the time until ${until}; colours as above.`,
  });
}

function durationNumbers<Type extends string>(
  durations: readonly OutcomeDuration<Type>[],
  outcomeTexts: Durations<Type>['outcomeTexts'],
): Distribution['numbers'] {
  const [only, ...others] = durations;
  if (only === undefined || others.length > 0)
    return durations.map(({ type, seconds: { least, median, most } }) => [
      `of those that ${outcomeTexts[type]}`,
      least === most
        ? spanText(least)
        : `${spanText(least)} to ${spanText(most)}, median ${spanText(median)}`,
    ]);
  const { least, median, p90, most } = only.seconds;
  return [
    ['least', spanText(least)],
    ['median', spanText(median)],
    ['90 % within', spanText(p90)],
    ['longest', spanText(most)],
  ];
}

export type Distribution = {
  readonly chart: string;
  readonly numbers: readonly (readonly [string, string])[];
  readonly note: string;
};

export const distributionHtml = (title: string, { chart, numbers, note }: Distribution): string => `<div>
<h2>${title}</h2>
<dl>${numbers.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
<figure>
${chart}
<figcaption>${text(note)}</figcaption>
</figure>
</div>`;
