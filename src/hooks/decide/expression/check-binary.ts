import type { BinaryOperator } from './node.ts';
import { canBe, kind, listOf, numeric, types, type Type } from './type.ts';

/** The type of the result of an operator; undefined if it does not accept operands of these types. */
export function typeOfBinary(operator: BinaryOperator, left: Type, right: Type): Type | undefined {
  return rules[operator](left, right);
}

type Rule = (left: Type, right: Type) => Type | undefined;

const both =
  (kinds: number, yields: Type): Rule =>
  (left, right) =>
    canBe(left, kinds) && canBe(right, kinds) ? yields : undefined;

const firstOf =
  (...rules: readonly Rule[]): Rule =>
  (left, right) =>
    rules.map((rule) => rule(left, right)).find((type) => type !== undefined);

/** Two integers give an integer; any other combination can be a float, as JSON numbers are. */
const combined: Rule = (left, right) => {
  if (!canBe(left, numeric) || !canBe(right, numeric)) return undefined;
  const whole = canBe(left, kind.int) && canBe(right, kind.int) ? kind.int : 0;
  const real = canBe(left, kind.float) || canBe(right, kind.float) ? kind.float : 0;
  return { kinds: whole | real, item: undefined };
};

const sum: Rule = (left, right) => {
  const [number, text] = [combined(left, right), both(kind.text, types.text)(left, right)];
  if (number === undefined || text === undefined) return number ?? text;
  return { kinds: number.kinds | text.kinds, item: undefined };
};

const comparable: Rule = (left, right) =>
  canBe(left, right.kinds) || canBe(left, kind.nil) || canBe(right, kind.nil) ? types.bool : undefined;

const equality = firstOf(both(numeric, types.bool), comparable);
const order = firstOf(both(numeric, types.bool), both(kind.text, types.bool));
const logic = both(kind.bool, types.bool);
const onTexts = both(kind.text, types.bool);

const membership: Rule = (left, right) => {
  const inMap = canBe(right, kind.map) && canBe(left, kind.text);
  return inMap || canBe(right, kind.list) ? types.bool : undefined;
};

const rules: Readonly<Record<BinaryOperator, Rule>> = {
  '||': logic,
  '&&': logic,
  '==': equality,
  '!=': equality,
  '<': order,
  '>': order,
  '<=': order,
  '>=': order,
  in: membership,
  'not in': membership,
  matches: onTexts,
  contains: onTexts,
  startsWith: onTexts,
  endsWith: onTexts,
  '..': both(kind.int, listOf(types.int)),
  '+': sum,
  '-': combined,
  '*': combined,
  '/': combined,
  '**': both(numeric, types.float),
  '%': both(kind.int, types.int),
};
