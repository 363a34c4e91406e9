export type BinaryOperator =
  | '||'
  | '&&'
  | ComparisonOperator
  | 'in'
  | 'not in'
  | 'matches'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | '..'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '**';
export type ComparisonOperator = '==' | '!=' | '<' | '>' | '<=' | '>=';
export type UnaryOperator = '!' | '-' | '+';

/** The functions that take a closure. */
export const eachNames = ['all', 'none', 'any', 'one', 'filter', 'map', 'count'] as const;
export type Each = (typeof eachNames)[number];

/** The range of a part in the source; `at` is the position of its operator, for messages. */
export type SourceRange = { readonly from: number; readonly to: number; readonly at: number };

export type Node = SourceRange &
  (
    | { readonly type: 'literal'; readonly value: null | boolean | bigint | number | string }
    | { readonly type: 'name'; readonly name: string }
    /** `#`, the current item of a closure; `.field` means `#.field`. */
    | { readonly type: 'item' }
    | { readonly type: 'unary'; readonly operator: UnaryOperator; readonly of: Node }
    | {
        readonly type: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Node;
        readonly right: Node;
      }
    | { readonly type: 'choice'; readonly when: Node; readonly chosen: Node; readonly otherwise: Node }
    | { readonly type: 'member'; readonly of: Node; readonly key: string }
    | { readonly type: 'index'; readonly of: Node; readonly index: Node }
    | {
        readonly type: 'slice';
        readonly of: Node;
        readonly start: Node | undefined;
        readonly end: Node | undefined;
      }
    | { readonly type: 'call'; readonly name: string; readonly args: readonly Node[] }
    | { readonly type: 'each'; readonly name: Each; readonly list: Node; readonly body: Node }
    | { readonly type: 'list'; readonly items: readonly Node[] }
    | { readonly type: 'map'; readonly pairs: readonly MapPair[] }
  );

export type MapPair = { readonly key: Node; readonly value: Node };

export type NodeOf<T extends Node['type']> = Node & { readonly type: T };

/** The parts of a node that are evaluated. */
export function partsOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'unary':
    case 'member':
      return [node.of];
    case 'binary':
      return [node.left, node.right];
    case 'index':
      return [node.of, node.index];
    case 'choice':
      return [node.when, node.chosen, node.otherwise];
    case 'each':
      return [node.list, node.body];
    default:
      return severalParts(node);
  }
}

function severalParts(
  node: NodeOf<'literal' | 'name' | 'item' | 'slice' | 'call' | 'list' | 'map'>,
): readonly Node[] {
  switch (node.type) {
    case 'slice':
      return [node.of, node.start, node.end].filter((part) => part !== undefined);
    case 'call':
      return node.args;
    case 'list':
      return node.items;
    case 'map':
      return node.pairs.flatMap((pair) => [pair.key, pair.value]);
    case 'literal':
    case 'name':
    case 'item':
      return [];
  }
}
