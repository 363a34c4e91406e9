import { readFileSync } from 'node:fs';
import { ExitError } from './exit.ts';

/** Text of a file, or of the input for `-`. */
export function readText(filename: string): string {
  try {
    return readFileSync(filename === '-' ? 0 : filename, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExitError(2, `${shownFile(filename)} cannot be read: ${why}`);
  }
}

export const shownFile = (filename: string): string => (filename === '-' ? 'the input' : filename);
