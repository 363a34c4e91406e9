/** Both count from 1; columns count characters. */
export type Position = { readonly line: number; readonly column: number };

/** Why a text is not a valid condition. */
export type ConditionProblem = {
  readonly position: Position;
  readonly reason: string;
  /** A suggestion what to write instead. */
  readonly hint?: string;
};

/** A fault at an offset of the source. */
export type Fault = { readonly at: number; readonly reason: string; readonly hint?: string };

export function positionOf(source: string, at: number): Position {
  const before = source.slice(0, at).split('\n');
  return { line: before.length, column: Array.from(before.at(-1) ?? '').length + 1 };
}

export function problemOf(source: string, { at, ...rest }: Fault): ConditionProblem {
  return { position: positionOf(source, at), ...rest };
}

/** One line for messages. */
export function problemText({ position, reason, hint }: ConditionProblem): string {
  const text = `${reason} (${position.line}:${position.column})`;
  return hint === undefined ? text : `${text}; ${hint}`;
}
