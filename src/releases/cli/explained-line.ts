/** A sentence with its depth below a heading; a command is not a sentence and keeps its blanks. */
export type ExplainedLine = { readonly depth: number; readonly text: string; readonly isCommand?: boolean };
