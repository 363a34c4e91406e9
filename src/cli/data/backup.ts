import { CopyNeverStill, copyJournal } from '#edge/journal/copy.ts';
import { placeHead } from '#edge/journal/head.ts';
import { inspectJournal } from '#edge/journal/inspect.ts';
import { ExitError } from '#command/exit.ts';
import { copyTheRest, inNewFolder, journalIn, journalOrExit, type CopyFlags } from './target-folder.ts';

/** `boathook data backup`: a copy of the data directory from which a server can start. */
export function backupData(flags: CopyFlags): number {
  const path = journalOrExit(flags.dataDir);
  const { folder, found } = inNewFolder(flags, (folder) => {
    const copy = journalIn(folder);
    copyOrExit(path, copy);
    const found = inspectJournal(copy);
    if (found.problems.length > 0)
      throw new ExitError(
        2,
        `${path} is damaged, so there is no backup: ${found.problems[0]}. Run boathook data check`,
      );
    if (found.format > 1) placeHead(copy, found.last);
    copyTheRest(flags.dataDir, folder);
    return { folder, found };
  });
  const { last, objects } = found;
  const facts = { path: folder, revision: last.revision, objects: objects.length };
  process.stdout.write(
    flags.output === 'json'
      ? `${JSON.stringify(facts)}\n`
      : `${folder} holds ${facts.objects} objects at revision ${facts.revision}. It holds Secrets and keys in clear: keep it safe.\n`,
  );
  return 0;
}

function copyOrExit(path: string, copy: string): void {
  try {
    copyJournal(path, copy);
  } catch (error) {
    if (error instanceof CopyNeverStill) throw new ExitError(1, error.message);
    throw error;
  }
}
