import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';

/**
 * SQLite removes the log when a file is closed, also when the file is refused because the log is damaged. What the
 * log holds beyond the damage would be lost: so it has a second name until the file is verified.
 */
export function keepLog(journal: string): { restore(): void; drop(): void } {
  const [log, kept] = [`${journal}-wal`, `${journal}-wal.kept`];
  rmSync(kept, { force: true });
  if (existsSync(log)) linkOrCopy(log, kept);
  return {
    restore() {
      // A log that is still there belongs to the process that has the file open.
      if (existsSync(kept) && !existsSync(log)) renameSync(kept, log);
      rmSync(kept, { force: true });
    },
    drop: () => rmSync(kept, { force: true }),
  };
}

/** Not every file system supports links. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
