/** Shorter texts would hide ordinary words. */
const shortest = 4;
/** A line of a key that is shown alone gives away as much as the key. */
const shortestLine = 16;

export const mask = '***';

/** The texts that must not be shown for a secret: itself, without blanks around it, and its longer lines. */
export function maskedTexts(secrets: Iterable<string>): readonly string[] {
  const found = new Set<string>();
  for (const secret of secrets) {
    const whole = secret.trim();
    if (whole.length < shortest) continue;
    found.add(whole);
    const lines = whole.split('\n').map((line) => line.trim());
    if (lines.length > 1)
      for (const line of lines) if (line.length >= shortestLine && !line.startsWith('-----')) found.add(line);
  }
  // The longest first: one may be a part of another.
  return [...found].toSorted((a, b) => b.length - a.length);
}

/** The text with every secret hidden; `masked` is what `maskedTexts` gives. */
export function maskText(text: string, masked: readonly string[]): string {
  let shown = text;
  for (const each of masked) shown = shown.replaceAll(each, mask);
  return shown;
}
