import type { Metric } from '#hooks/kinds/metric.ts';
import type { Json } from '#base/json.ts';
import { memoize } from '#base/memoize.ts';
import { shorten } from '#base/text.ts';
import { compileCondition, type Compiled, type CompiledCondition } from './expression/condition.ts';
import { problemText } from './expression/problem.ts';
import type { ResultType } from '#hooks/providers/wire/provider-wire.ts';
import { readProvider } from '#hooks/read.ts';
import type { FinalPhase } from './reading.ts';

export type ConditionName = 'successCondition' | 'failureCondition';

/** The phase of a result, with the condition that decided and the values in it. */
export type ConditionAnswer = {
  readonly phase: FinalPhase;
  readonly message?: string;
  readonly expression?: string;
  readonly because?: readonly string[];
};

/** Evaluates both conditions of a metric on a result. A true failureCondition counts more than a true successCondition. */
export function askConditions(metric: Metric, result: Json): ConditionAnswer {
  const success = evaluate(metric, 'successCondition', result);
  const failure = evaluate(metric, 'failureCondition', result);
  const broken = [success, failure].find((verdict) => verdict?.type === 'error');
  if (broken?.type === 'error')
    return { phase: 'Error', message: broken.message, ...evidenceOf(broken, result) };
  if (failure?.type === 'bool' && failure.value) return { phase: 'Failed', ...evidenceOf(failure, result) };
  if (success?.type !== 'bool') return { phase: 'Successful', ...evidenceOf(failure, result) };
  if (success.value) return { phase: 'Successful', ...evidenceOf(success, result) };
  if (failure === undefined) return { phase: 'Failed', ...evidenceOf(success, result) };
  const message = 'neither successCondition nor failureCondition is true';
  return { phase: 'Inconclusive', message, ...evidenceOf(success, result) };
}

/** Why a condition of a metric cannot be compiled; undefined if it can, or is not set. */
export function problemOfCondition(metric: Metric, name: ConditionName): string | undefined {
  const compiled = conditionOf(metric, name);
  return compiled === undefined || compiled.ok ? undefined : problemText(compiled.problem);
}

/** A condition of a metric, checked against the result type of its provider; undefined if it is not set. */
export function conditionOf(metric: Metric, name: ConditionName): Compiled | undefined {
  const text = metric[name];
  return text === undefined || text === '' ? undefined : compiled(text, resultTypeOf(metric));
}

export function resultTypeOf(metric: Metric): ResultType {
  const read = readProvider(metric);
  return read.type === 'provider' ? read.wire.resultType(read.provider.spec) : 'string';
}

type Verdict = { readonly text: string; readonly condition?: CompiledCondition } & (
  { readonly type: 'bool'; readonly value: boolean } | { readonly type: 'error'; readonly message: string }
);

function evaluate(metric: Metric, name: ConditionName, result: Json): Verdict | undefined {
  const compiled = conditionOf(metric, name);
  const text = metric[name] ?? '';
  if (compiled === undefined) return undefined;
  if (!compiled.ok) return { type: 'error', message: `${name}: ${problemText(compiled.problem)}`, text };
  const { condition } = compiled;
  const outcome = condition.evaluate(result);
  if (outcome.type === 'bool') return { ...outcome, text, condition };
  return { type: 'error', message: `${name}: ${outcome.message}`, text, condition };
}

const longestExpression = 512;

function evidenceOf(
  verdict: Verdict | undefined,
  result: Json,
): Pick<ConditionAnswer, 'expression' | 'because'> {
  if (verdict === undefined) return {};
  const { text, condition } = verdict;
  const expression = shorten(text, longestExpression);
  return { expression, ...(condition === undefined ? {} : { because: condition.explain(result) }) };
}

/** Runs evaluate the same few conditions again and again. Long ones are not kept. */
const remembered = memoize(256, (key) => {
  const space = key.indexOf(' ');
  return compileCondition(key.slice(space + 1), key.slice(0, space) as ResultType);
});

const compiled = (text: string, type: ResultType): Compiled =>
  text.length <= longestExpression ? remembered(`${type} ${text}`) : compileCondition(text, type);
