import type { BinaryOperator, UnaryOperator } from './node.ts';

/** How tightly each operator holds its sides, as in expr. */
const binary: ReadonlyMap<string, number> = new Map<BinaryOperator, number>([
  ['||', 10],
  ['&&', 15],
  ['==', 20],
  ['!=', 20],
  ['<', 20],
  ['>', 20],
  ['<=', 20],
  ['>=', 20],
  ['in', 20],
  ['not in', 20],
  ['matches', 20],
  ['contains', 20],
  ['startsWith', 20],
  ['endsWith', 20],
  ['..', 25],
  ['+', 30],
  ['-', 30],
  ['*', 60],
  ['/', 60],
  ['%', 60],
  ['**', 70],
]);

/** `not` binds more tightly than comparisons do, as in expr: `not a == b` is `(not a) == b`. */
const unary: ReadonlyMap<string, number> = new Map<UnaryOperator, number>([
  ['!', 50],
  ['-', 500],
  ['+', 500],
]);

export const isBinary = (text: string): text is BinaryOperator => binary.has(text);
export const isUnary = (text: string): text is UnaryOperator => unary.has(text);

export const bindingOf = (operator: BinaryOperator): number => binary.get(operator) ?? 0;
export const bindingOfUnary = (operator: UnaryOperator): number => unary.get(operator) ?? 0;
