import { shorten } from '#base/text.ts';
import type { Evidence, Measurement, MetricResult } from '#hooks/kinds/hook-run.ts';

/**
 * The server refuses a status that is too large, and the run would never end. So the size of all measurements of a
 * run is limited, in characters of at most three bytes.
 */
const mostKept = 250_000;

/** The results with measurements that fit into a status. The newest are kept first; counters stay. */
export function fitResults(results: readonly MetricResult[]): readonly MetricResult[] {
  const all = results.reduce((sum, { measurements = [] }) => sum + sizeOfAll(measurements), 0);
  if (all <= mostKept) return results;
  const share = Math.floor(mostKept / results.length);
  return results.map((result) =>
    result.measurements === undefined ? result : { ...result, measurements: fit(result.measurements, share) },
  );
}

/** The newest measurement whole, the others shortened, then whole again as far as there is room. */
function fit(measurements: readonly Measurement[], share: number): readonly Measurement[] {
  const kept: Measurement[] = [];
  let left = share;
  const newestFirst = measurements.toReversed();
  for (const measurement of newestFirst) {
    const isWhole = kept.length === 0 && sizeOf(measurement) <= share / 2;
    const shown = isWhole ? measurement : inShort(measurement);
    if (kept.length > 0 && sizeOf(shown) > left) break;
    left -= sizeOf(shown);
    kept.push(shown);
  }
  return kept
    .map((shown, i) => {
      const whole = newestFirst[i] ?? shown;
      left -= sizeOf(whole) - sizeOf(shown);
      return left < 0 ? shown : whole;
    })
    .toReversed();
}

const shortest = 120;
const short = (text: string): string => shorten(text, shortest);

function inShort({ evidence: _evidence, message, value, ...rest }: Measurement): Measurement {
  return {
    ...rest,
    ...(message === undefined ? {} : { message: short(message) }),
    ...(value === undefined ? {} : { value: short(value) }),
  };
}

/** The size of times and field names. */
const frame = 200;

const sizeOfAll = (measurements: readonly Measurement[]): number =>
  measurements.reduce((sum, measurement) => sum + sizeOf(measurement), 0);

const sizeOf = ({ message = '', value = '', evidence = {} }: Measurement): number =>
  frame + message.length + value.length + sizeOfEvidence(evidence);

const sizeOfEvidence = ({ request = '', body = '', expression = '', because = [] }: Evidence): number =>
  because.reduce((sum, line) => sum + line.length, request.length + body.length + expression.length);
