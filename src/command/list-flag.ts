/** A list in one option, separated by commas, or in several options. */
export const collected = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
];
