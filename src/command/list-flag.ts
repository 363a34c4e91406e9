/** Lists given at once, with commas, or one after the other. */
export const collected = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
];
