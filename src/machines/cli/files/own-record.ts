import { dirname } from 'node:path';
import { ExitError } from '#command/exit.ts';

/** Reads one of our own records; one that is damaged or gone ends the command with a sentence that says so. */
export function ownRecord<Read>(path: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExitError(
      1,
      `${path} cannot be read: ${why}. Put it back from a backup; or move ${dirname(path)} away, and what was done there counts as not done`,
    );
  }
}
