import { resolve } from 'node:path';
import { DataDirHeld, DataDirUnwritable, openDataDir, type DataDir } from '#edge/data-dir.ts';
import { copyJournal, journalFiles } from '#edge/journal/copy.ts';
import { readHead } from '#edge/journal/head.ts';
import { inspectJournal, type Inspection } from '#edge/journal/inspect.ts';
import { writeSnapshot } from '#edge/journal/salvage.ts';
import { ExitError } from '#command/exit.ts';
import { rmSync } from 'node:fs';
import { shortened } from './check.ts';
import { copyTheRest, inNewFolder, journalIn, journalOrExit, type CopyFlags } from './target-folder.ts';

/** `boathook data salvage`: copies the intact objects into a new directory; the damaged one is only read. */
export function salvageData(flags: CopyFlags): number {
  const path = journalOrExit(flags.dataDir);
  const held = holdOrExit(resolve(flags.dataDir));
  try {
    const { folder, found, revision } = inNewFolder(flags, (folder) => rescue(flags, path, folder));
    const facts = { path: folder, objects: found.objects.length, revision, lost: found.problems };
    process.stdout.write(flags.output === 'json' ? `${JSON.stringify(facts)}\n` : asText(facts));
    return found.problems.length === 0 ? 0 : 4;
  } finally {
    held?.close();
  }
}

type Rescued = { readonly folder: string; readonly found: Inspection; readonly revision: number };

function rescue(flags: CopyFlags, path: string, folder: string): Rescued {
  const copy = `${journalIn(folder)}.damaged`;
  copyJournal(path, copy);
  const found = inspectJournal(copy);
  if (found.objects.length === 0 && found.problems.length > 0)
    throw new ExitError(2, `nothing of ${path} can be read: ${found.problems.join('; ')}. Restore a backup`);
  const head = readHead(copy);
  const last = Math.max(found.last.revision, typeof head === 'object' ? head.revision : 0);
  const revision = writeSnapshot(journalIn(folder), found.objects, last);
  for (const file of journalFiles(copy)) rmSync(file, { force: true });
  copyTheRest(flags.dataDir, folder);
  return { folder, found, revision };
}

type Facts = {
  readonly path: string;
  readonly objects: number;
  readonly revision: number;
  readonly lost: readonly string[];
};

function asText({ path, objects, revision, lost }: Facts): string {
  const lines = [`${path} holds ${objects} objects; it begins at revision ${revision}.`];
  if (lost.length === 0) lines.push('Nothing is lost.');
  else
    lines.push(
      'This is lost:',
      ...shortened(lost),
      'An object that was changed or deleted in a lost record is there as it was before, or not at all.',
    );
  lines.push(`Start from it with: boathook up --data-dir ${path}`);
  return `${lines.join('\n')}\n`;
}

/** No server runs on a directory that cannot be written. */
function holdOrExit(dataDir: string): DataDir | undefined {
  try {
    return openDataDir(dataDir);
  } catch (error) {
    if (error instanceof DataDirHeld) throw new ExitError(3, error.message);
    if (error instanceof DataDirUnwritable) return undefined;
    throw error;
  }
}
