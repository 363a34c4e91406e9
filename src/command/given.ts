/** The options of a command, as commander gives them. */
export type Given = Readonly<Record<string, unknown>>;

/** Ends the command with an exit code. */
export type End = (code: number) => void;

/** For an option that may be given several times. */
export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];
