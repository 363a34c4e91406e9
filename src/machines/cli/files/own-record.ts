import { dirname } from 'node:path';
import { ExitError } from '#command/exit.ts';

/** Reads a record of the data directory. A damaged or missing record ends the command with an explanation. */
export function ownRecord<Read>(path: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExitError(
      1,
      `${path} cannot be read: ${why}. Restore it from a backup; or move ${dirname(path)} away: the operations recorded there then count as not run`,
    );
  }
}
