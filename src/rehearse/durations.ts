import { spanText } from './span-text.ts';
import { spreadOf, type Spread } from './spread.ts';

/** How long the rehearsals take that end in one way: those that stop early say nothing of those that complete. */
export type OutcomeDuration<Type extends string> = {
  readonly type: Type;
  readonly runs: number;
  readonly seconds: Spread;
};

type Ended<Type extends string> = {
  readonly seconds: number;
  readonly outcome: { readonly type: Type };
};

/** The most frequent outcome first. */
export const durationsOf = <Type extends string>(
  reports: readonly Ended<Type>[],
): readonly OutcomeDuration<Type>[] =>
  [...Map.groupBy(reports, ({ outcome }) => outcome.type)]
    .map(([type, ended]) => ({
      type,
      runs: ended.length,
      seconds: spreadOf(ended.map(({ seconds }) => seconds)),
    }))
    .toSorted((left, right) => right.runs - left.runs);

/** A line for each outcome. `outcomeTexts`: what these rehearsals do. */
export const durationLines = <Type extends string>(
  durations: readonly OutcomeDuration<Type>[],
  outcomeTexts: Readonly<Record<Type, string>>,
): readonly string[] =>
  durations.map(
    ({ type, seconds: { least, median, p90, most } }) =>
      `Duration${durations.length === 1 ? '' : ` of those that ${outcomeTexts[type]}`}: least ${spanText(least)}, median ${spanText(median)}, 90 % within ${spanText(p90)}, longest ${spanText(most)}`,
  );
