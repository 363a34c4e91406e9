/** The limits of one condition. Usual conditions stay far below them. */
export const limits = {
  /** Characters of source. */
  source: 8192,
  /** Nesting of brackets, unary operators and choices in the source. */
  nesting: 64,
  /** Depth of the syntax tree. A chain of operators is as deep as it is long. */
  depth: 400,
  /** Steps of one evaluation: a step is about an operator applied to an item. */
  steps: 1_000_000,
  /** Items of a range, and characters of a concatenated text. */
  range: 100_000,
  text: 1_000_000,
  /** Levels of a value that are compared or shown. */
  valueDepth: 200,
} as const;
