import { isArray, isNumber, isObject, sameNumber, type Json } from './json.ts';
import {
  JsonPathError,
  parsePath,
  type PathComparison,
  type Operand,
  type PathStep,
} from './jsonpath-parse.ts';

/** A compiled path in the Kubernetes dialect of JSONPath. */
export type JsonPath = {
  /**
   * Every value the path leads to, in document order; none when a key is missing or an index lies outside.
   * Throws `JsonPathError` when the path visits more values than any sensible one would.
   */
  find(object: Json): readonly Json[];
  /** The same for those who must know whether something on the way was not there; `budget` is shared by several looks. */
  look(object: Json, budget: Budget): Look;
};

/** How many values may still be looked at. */
export type Budget = { left: number };

/** Missing: nothing had the key or the index that was asked for. No match of a filter is no such thing. */
export type Look =
  | { readonly type: 'found'; readonly values: readonly Json[] }
  | { readonly type: 'missing'; readonly what: string };

/** Compiles a path, with or without braces and `$`. Throws `JsonPathError` (jsonpath-parse.ts) for what is not a path. */
export function compileJsonPath(text: string): JsonPath {
  const steps = parsePath(text);
  const keys = plainKeys(steps);
  const look = (object: Json, budget: Budget): Look => lookAlong(steps, { root: object, text, budget });
  if (keys !== undefined) return { find: (object) => follow(object, keys), look };
  return {
    find: (object) => run(steps, [object], { root: object, text, budget: { left: mostVisits } }),
    look,
  };
}

function lookAlong(steps: readonly PathStep[], walk: Walk): Look {
  let values: readonly Json[] = [walk.root];
  for (const step of steps) {
    const next = run([step], values, walk);
    if (next.length === 0 && values.length > 0 && isLack(step, values))
      return { type: 'missing', what: described(step) };
    values = next;
  }
  return { type: 'found', values };
}

/** Whether nothing found means that something is not there: filters may well match nothing, and lists be empty. */
function isLack(step: PathStep, values: readonly Json[]): boolean {
  switch (step.type) {
    case 'key':
    case 'index':
    case 'union':
      return true;
    case 'descend':
      return false;
    case 'every':
      return !values.some((value) => isArray(value) || isObject(value));
    case 'filter':
      return !values.some(isArray);
    case 'slice':
      return !values.some(
        (value) => isArray(value) && Math.max(step.from ?? 0, step.to ?? 0) <= value.length,
      );
  }
}

function described(step: PathStep): string {
  if (step.type === 'key') return `${step.key} is not found`;
  if (step.type === 'index') return `there is no item ${step.index}`;
  if (step.type === 'union') return 'none of the keys is found';
  return step.type === 'slice' ? 'the slice lies outside the list' : 'there is no list';
}

/** How many values one evaluation may look at. */
const mostVisits = 100_000;

type Walk = { readonly root: Json; readonly text: string; readonly budget: Budget };

/** Most printer columns are nothing but keys: those need no walk. */
function plainKeys(steps: readonly PathStep[]): readonly string[] | undefined {
  const keys = steps.flatMap((step) => (step.type === 'key' ? [step.key] : []));
  return keys.length === steps.length ? keys : undefined;
}

function follow(object: Json, keys: readonly string[]): readonly Json[] {
  let current: Json | undefined = object;
  for (const key of keys) {
    current = childOf(current, key);
    if (current === undefined) return [];
  }
  return [current];
}

function childOf(value: Json, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function run(steps: readonly PathStep[], start: readonly Json[], walk: Walk): readonly Json[] {
  let current = start;
  for (const step of steps) {
    const next: Json[] = [];
    for (const value of current) {
      spend(walk);
      for (const found of select(step, value, walk)) {
        spend(walk);
        next.push(found);
      }
    }
    current = next;
  }
  return current;
}

function spend(walk: Walk): void {
  walk.budget.left -= 1;
  if (walk.budget.left < 0) throw new JsonPathError(walk.text, 'the path visits too many values');
}

const nothing: readonly Json[] = [];
const one = (value: Json | undefined): readonly Json[] => (value === undefined ? nothing : [value]);

function select(step: PathStep, value: Json, walk: Walk): readonly Json[] {
  switch (step.type) {
    case 'key':
      return one(childOf(value, step.key));
    case 'every':
      return childrenOf(value);
    case 'descend':
      return descend(value, walk);
    case 'union':
      return step.branches.flatMap((branch) => run(branch, [value], walk));
    case 'index':
    case 'slice':
    case 'filter':
      return isArray(value) ? selectItems(step, value, walk) : nothing;
  }
}

type ListStep = PathStep & { type: 'index' | 'slice' | 'filter' };

function selectItems(step: ListStep, list: readonly Json[], walk: Walk): readonly Json[] {
  switch (step.type) {
    case 'index':
      return one(list.at(step.index));
    case 'slice':
      return sliceOf(list, step);
    case 'filter':
      return list.filter((item) => passes(step, item, walk));
  }
}

function childrenOf(value: Json): readonly Json[] {
  if (isArray(value)) return value;
  return isObject(value) ? Object.values(value) : nothing;
}

/** The value and every non-empty list and map below it, parents first; without recursion, for documents of any depth. */
function descend(value: Json, walk: Walk): readonly Json[] {
  const found: Json[] = [];
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    spend(walk);
    const children = childrenOf(next);
    if (children.length === 0) continue;
    found.push(next);
    for (let i = children.length - 1; i >= 0; i -= 1) {
      const child = children[i];
      if (typeof child === 'object' && child !== null) pending.push(child);
    }
  }
  return found;
}

/** Nothing when the bounds lie outside the list, as the real evaluator refuses them. */
function sliceOf(list: readonly Json[], step: PathStep & { type: 'slice' }): readonly Json[] {
  const inside = (bound: number): number => (bound < 0 ? bound + list.length : bound);
  const from = inside(step.from ?? 0);
  const to = inside(step.to ?? list.length);
  if (from < 0 || from >= list.length || to > list.length || from >= to) return [];
  return list.slice(from, to).filter((_, i) => i % step.by === 0);
}

function passes(step: PathStep & { type: 'filter' }, item: Json, walk: Walk): boolean {
  spend(walk);
  const lefts = valuesOf(step.left, item, walk);
  if (step.test === undefined) return lefts.length > 0;
  const rights = valuesOf(step.test.right, item, walk);
  const [left, right] = [lefts[0], rights[0]];
  // Only one value can be compared with one; more on either side is no match.
  if (lefts.length !== 1 || rights.length !== 1 || left === undefined || right === undefined) return false;
  return compare(left, step.test.operator, right);
}

function valuesOf(operand: Operand, item: Json, walk: Walk): readonly Json[] {
  if (operand.type === 'constant') return [operand.value];
  return run(operand.steps, [operand.from === 'item' ? item : walk.root], walk);
}

const orders: Readonly<Record<PathComparison, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
};

/** Values of different types never match, not even with `!=`; truth has no order. */
function compare(left: Json, operator: PathComparison, right: Json): boolean {
  if (typeof left === 'boolean' && typeof right === 'boolean') {
    if (operator === '==') return left === right;
    return operator === '!=' && left !== right;
  }
  const numbers = isNumber(left) && isNumber(right);
  const texts = typeof left === 'string' && typeof right === 'string';
  if (!numbers && !texts) return false;
  if (numbers ? sameNumber(left, right) : left === right) return orders[operator](0);
  return orders[operator](left < right ? -1 : 1);
}
