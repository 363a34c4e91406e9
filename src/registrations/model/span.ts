import { parseDuration } from '#base/duration.ts';
import { millis, type Millis } from '#base/time.ts';

const day = 86_400_000;
/** Years and months have their average length. */
const dateUnits: readonly (readonly [string, number])[] = [
  ['Y', 365.2425 * day],
  ['M', 30.436875 * day],
  ['W', 7 * day],
  ['D', day],
];
const timeUnits: readonly (readonly [string, number])[] = [
  ['H', 3_600_000],
  ['M', 60_000],
  ['S', 1000],
];

const part = (unit: string): string => String.raw`(?:(\d+(?:[.,]\d+)?)${unit})?`;
const dateParts = dateUnits.map(([unit]) => part(unit)).join('');
const timeParts = timeUnits.map(([unit]) => part(unit)).join('');
const iso = new RegExp(`^P(?=.)${dateParts}(?:T(?=.)${timeParts})?$`);

/** A duration in ISO 8601 (`PT10S`) or in Go syntax (`10s`); undefined when it is invalid or negative. */
export function parseSpan(text: string): Millis | undefined {
  const match = text.length > 64 ? null : iso.exec(text);
  if (match === null) return parseDuration(text);
  const counts = match.slice(1);
  if (hasEarlyFraction(counts)) return undefined;
  const sizes = [...dateUnits, ...timeUnits];
  const total = counts.reduce(
    (sum, count, i) => sum + Number((count ?? '0').replace(',', '.')) * (sizes[i]?.[1] ?? 0),
    0,
  );
  return Number.isFinite(total) ? millis(Math.round(total)) : undefined;
}

/** Only the last part may have a fraction. */
function hasEarlyFraction(counts: readonly (string | undefined)[]): boolean {
  const given = counts.filter((count) => count !== undefined);
  return given.slice(0, -1).some((count) => /[.,]/.test(count));
}
