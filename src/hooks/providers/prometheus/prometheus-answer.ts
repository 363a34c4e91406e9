import type { Evidence } from '#hooks/kinds/hook-run.ts';
import { at, isArray, isObject, listAt, textAt, type Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import type { OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { shortValue, type Witness } from '#hooks/call/evidence.ts';
import { bodyExcerpt } from '#hooks/call/web-answer.ts';

export type AskedQuery = {
  /** The URL and the query, for messages. */
  readonly shown: string;
  /** Whether it is a range query. */
  readonly isRange: boolean;
};

/** The reading of a reply of Prometheus. */
export function prometheusReading(
  answer: OutgoingAnswer,
  { shown, isRange }: AskedQuery,
  witness: Witness,
): ProviderReading {
  if (answer.type === 'failed')
    return {
      type: 'error',
      message: witness.text(answer.message),
      evidence: witness.evidence(shown, answer),
    };
  const reply = parse(answer.body);
  const warnings = listAt(reply, 'warnings').filter((each) => typeof each === 'string');
  const notes = warnings.map((each) => `warning: ${each}\n`).join('');
  const evidence = witness.evidence(shown, answer, `${notes}${answer.body}`);
  const error = (message: string): ProviderReading => ({
    type: 'error',
    message: witness.text(message),
    evidence,
  });
  const refusal = refusalOf(answer.status, answer.body, reply);
  if (refusal !== undefined) return error(refusal);
  const found = samplesOf(at(reply, 'data'), isRange);
  if (found.type === 'problem') return error(found.message);
  const { samples, isList } = found;
  if (samples.length === 0) return emptyReading(warnings, evidence);
  const numbers = samples.map(numberOf);
  const unreadable = samples.find((_, i) => numbers[i] === undefined);
  if (unreadable !== undefined) return error(`Prometheus sent the sample ${JSON.stringify(unreadable)}`);
  const list = numbers.map((each) => each ?? Number.NaN);
  const value = shortValue(isList ? `[${samples.join(',')}]` : (samples[0] ?? ''));
  if (list.some((each) => Number.isNaN(each)))
    return { type: 'verdict', phase: 'Inconclusive', value, message: nanMessage, evidence };
  return { type: 'value', result: isList ? list : (list[0] ?? null), value, evidence };
}

/** With a warning the result may be incomplete, so conditions are not evaluated on an empty list. */
function emptyReading(warnings: readonly string[], evidence: Evidence): ProviderReading {
  const empty = { type: 'no-data', why: noData(warnings), evidence } as const;
  return warnings.length === 0 ? { ...empty, result: [] } : empty;
}

const nanMessage = 'the result contains NaN: check the query for a division by zero';

const noData = (warnings: readonly string[]): string =>
  `the query has no result${warnings.length === 0 ? '' : ` (warning: ${warnings.join('; ')})`}`;

function parse(body: string): Json | undefined {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, body: string, reply: Json | undefined): string | undefined {
  const isGood = status >= 200 && status <= 299;
  const errorText = textAt(reply, 'error');
  if (textAt(reply, 'status') === 'error' && errorText !== undefined)
    return `Prometheus refused the query (${textAt(reply, 'errorType') ?? status}): ${errorText}`;
  if (!isGood) {
    const hint = status === 404 ? '; is this the address of Prometheus?' : '';
    return `Prometheus answered ${status}${bodyExcerpt(body)}${hint}`;
  }
  if (textAt(reply, 'status') === 'success') return undefined;
  return `the answer is not from Prometheus: check the address${bodyExcerpt(body)}`;
}

type Samples =
  | { readonly type: 'samples'; readonly samples: readonly string[]; readonly isList: boolean }
  | { readonly type: 'problem'; readonly message: string };

/** The samples of a scalar or a vector, and of a matrix for a range query. */
function samplesOf(data: Json | undefined, isRange: boolean): Samples {
  const type = textAt(data, 'resultType') ?? 'thing';
  const series = listAt(data, 'result');
  if (type === 'scalar' && !isRange) return listOf([at(data, 'result')], false);
  if (type === 'vector' && !isRange) return listOf(series.map(valueOf), true);
  if (type === 'matrix' && isRange) {
    if (series.some((each) => at(each, 'histograms') !== undefined)) return histograms;
    return listOf(
      series.flatMap((each) => listAt(each, 'values')),
      true,
    );
  }
  const hint = type === 'matrix' ? ': use a function such as avg_over_time, or set range' : '';
  return problem(`Prometheus answered with a ${type} where numbers are needed${hint}`);
}

const problem = (message: string): Samples => ({ type: 'problem', message });
const histograms = problem('the query yields histograms, not numbers: query a quantile or a count');

/** A native histogram has no single value. */
const valueOf = (sample: Json): Json | undefined => at(sample, 'value') ?? at(sample, 'histogram');

/** A sample is a pair: a time, and a number as text. */
function listOf(pairs: readonly (Json | undefined)[], isList: boolean): Samples {
  const samples: string[] = [];
  for (const pair of pairs) {
    const text = isArray(pair) ? pair[1] : undefined;
    if (isObject(text)) return histograms;
    if (typeof text !== 'string') return problem('a sample of the answer has no number');
    samples.push(text);
  }
  return { type: 'samples', samples, isList };
}

const words: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  '+Inf': Infinity,
  Inf: Infinity,
  '-Inf': -Infinity,
};

function numberOf(text: string): number | undefined {
  if (Object.hasOwn(words, text)) return words[text];
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? undefined : value;
}
