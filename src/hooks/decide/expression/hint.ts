import type { BinaryOperator, Node } from './node.ts';
import { shorten } from '#base/text.ts';
import { canBe, kind, numeric, types, type Type } from './type.ts';

type Side = { readonly node: Node; readonly type: Type };

/** A suggestion for a type mismatch. */
export function hintFor(
  source: string,
  operator: BinaryOperator,
  left: Side,
  right: Side,
): string | undefined {
  if ((operator === 'in' || operator === 'not in') && right.type.kinds === kind.text) {
    return `to look for a part of a text write ${textOf(source, right.node)} contains …`;
  }
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (one.type.kinds === kind.text && canBe(other.type, numeric)) return textHint(source, one.node);
    if (one.type.kinds === kind.list && canBe(other.type, numeric | kind.text))
      return listHint(source, one.node);
  }
  const sides = [left, right];
  return operator === '%' && sides.every(({ type }) => canBe(type, numeric))
    ? '% takes whole numbers only'
    : undefined;
}

export const textOf = (source: string, node: Node): string => shorten(source.slice(node.from, node.to), 60);

function textHint(source: string, node: Node): string {
  const text = textOf(source, node);
  if (node.type === 'literal') return `${text} is text: write a number without quotes`;
  return `${text} is text: use asInt(${text}) or asFloat(${text})`;
}

function listHint(source: string, node: Node): string {
  const text = textOf(source, node);
  return `${text} is a list: use ${text}[0], or any(${text}, {# …}) and the like`;
}

/** For an operation on text that needs parsed JSON. */
export function memberHint(node: Node, type: Type): string | undefined {
  return type === types.text && node.type === 'name'
    ? 'result is text: with resultType: json it is the parsed value'
    : undefined;
}
