import { compileRegex, regexWeight, type CompiledRegex, type Regex } from '#kube/regex.ts';
import { fail, spend, type Evaluation } from './run.ts';
import { nounOf, type ExprValue } from './value.ts';

/** Keeps the compilation of a pattern below some milliseconds. */
const longestPattern = 1000;
/** For all patterns of a condition together. */
export const heaviestPatterns = 20_000;

export function patternOf(source: string): CompiledRegex {
  if (source.length > longestPattern)
    return { type: 'bad', why: `the pattern is longer than ${longestPattern} characters` };
  if (regexWeight(source) > heaviestPatterns) return { type: 'bad', why: 'the pattern repeats too much' };
  return compileRegex(source);
}

/** A match against a constant pattern. */
export function matchKnown(run: Evaluation, at: number, text: ExprValue, regex: Regex): ExprValue {
  if (typeof text !== 'string') return fail(run, at, `matches takes texts, not ${nounOf(text)}`);
  return spend(run, at, (text.length * regex.states) / 4) ? regex.test(text) : null;
}

/** A match against a pattern that is computed at run time. */
export function matchMade(run: Evaluation, at: number, text: ExprValue, pattern: ExprValue): ExprValue {
  if (typeof pattern !== 'string')
    return fail(run, at, `matches takes a pattern in text, not ${nounOf(pattern)}`);
  if (!spend(run, at, 50 * regexWeight(pattern.slice(0, longestPattern)))) return null;
  const made = patternOf(pattern);
  return made.type === 'bad' ? fail(run, at, made.why) : matchKnown(run, at, text, made.regex);
}
