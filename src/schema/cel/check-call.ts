import { assignAll, substitute } from './assignable.ts';
import { freshType, report, resolved, undeclared, type Checker } from './checker.ts';
import type { CallExpr, Expr } from './expr.ts';
import { overloadsOf } from './functions.ts';
import { patternFault } from './lib-regex.ts';
import type { Overload } from './overload.ts';
import { parseDuration, parseTimestamp } from './time-text.ts';
import { dynType, formatType, sameType, type CelType } from './type.ts';

type Arguments = {
  /** The receiver's type, when there is one. */
  readonly target: CelType | undefined;
  readonly args: readonly CelType[];
};

/** The type of a call by its overloads; those that fit are stored for evaluation and cost. */
export function checkOverloads(checker: Checker, call: CallExpr, name: string, types: Arguments): CelType {
  const candidates = overloadsOf(name);
  if (candidates.length === 0) return undeclared(checker, call.at, name);
  const member = types.target !== undefined;
  const actual = types.target === undefined ? types.args : [types.target, ...types.args];
  const fitting: Overload[] = [];
  let result: CelType | undefined;
  for (const overload of candidates) {
    if (overload.member !== member) continue;
    const found = fit(checker, overload, actual);
    if (found === undefined) continue;
    fitting.push(overload);
    result = result === undefined || sameType(result, found) ? found : dynType;
  }
  if (result === undefined) return noOverload(checker, call, name, types);
  checker.calls.set(call, fitting);
  checkLiterals(checker, call, name);
  return result;
}

function fit(checker: Checker, overload: Overload, actual: readonly CelType[]): CelType | undefined {
  if (overload.params.length !== actual.length) return undefined;
  const [params, result] = instantiated(checker, overload);
  return assignAll(checker.bindings, actual, params) ? resolved(checker, result) : undefined;
}

/** The overload with type parameters of its own. */
function instantiated(checker: Checker, { params, result }: Overload): [readonly CelType[], CelType] {
  const names = new Set<string>();
  for (const each of [...params, result]) gather(each, names);
  if (names.size === 0) return [params, result];
  const fresh = new Map([...names].map((name) => [name, freshType(checker)]));
  return [params.map((each) => substitute(fresh, each)), substitute(fresh, result)];
}

function gather(type: CelType, names: Set<string>): void {
  if (type.kind === 'param') names.add(type.name);
  for (const each of type.params) gather(each, names);
}

function noOverload(checker: Checker, { at }: CallExpr, name: string, { target, args }: Arguments): CelType {
  const text = (type: CelType): string => formatType(resolved(checker, type, dynType));
  const list = `(${args.map(text).join(', ')})`;
  const signature = target === undefined ? list : `${text(target)}.${list}`;
  return report(checker, at, `found no matching overload for '${name}' applied to '${signature}'`);
}

const literalChecks: Readonly<Record<string, (text: string) => boolean>> = {
  matches: (text) => patternFault(text) === undefined,
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
};

/** Patterns and times that are written in the rule itself are read at once. */
function checkLiterals(checker: Checker, call: CallExpr, name: string): void {
  const check = Object.hasOwn(literalChecks, name) ? literalChecks[name] : undefined;
  const last: Expr | undefined = call.args.at(-1);
  if (check === undefined || last?.op !== 'literal' || typeof last.value !== 'string') return;
  if (!check(last.value)) report(checker, last.at, `invalid ${name} argument`);
}
