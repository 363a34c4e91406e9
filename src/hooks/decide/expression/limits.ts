/** What one condition may cost. An honest one stays far below each of these. */
export const limits = {
  /** Characters of source. */
  source: 8192,
  /** Levels of brackets, signs and choices inside one another, as the reader meets them. */
  nesting: 64,
  /** Levels of the tree: a chain of operators is as deep as it is long. */
  depth: 400,
  /** Steps of one evaluation: a step is about an operator applied to an item. */
  steps: 1_000_000,
  /** Items of a range, and characters of a text put together. */
  range: 100_000,
  text: 1_000_000,
  /** Levels of a value that are compared or shown. */
  valueDepth: 200,
} as const;
