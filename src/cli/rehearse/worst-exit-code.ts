/** The exit code of several rehearsals: 1 (one would fail) before 4 (one would wait) before 0. */
export const worstExitCode = (codes: readonly number[]): number =>
  [1, 4].find((code) => codes.includes(code)) ?? 0;
