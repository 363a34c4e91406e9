import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyJournal } from '#edge/journal/copy.ts';
import { inspectJournal, type Inspection } from '#edge/journal/inspect.ts';
import { journalOrExit } from './target-folder.ts';

export type CheckFlags = { readonly dataDir: string; readonly output?: string };

/** `boathook data check`: reads a copy, so that the original stays as it is and a server may be running. */
export function checkData({ dataDir, output }: CheckFlags): number {
  const path = journalOrExit(dataDir);
  const folder = mkdtempSync(join(tmpdir(), 'boathook-check-'));
  try {
    const copy = join(folder, 'objects.db');
    copyJournal(path, copy);
    const found = inspectJournal(copy);
    process.stdout.write(
      output === 'json' ? `${JSON.stringify(asJson(path, found))}\n` : asText(path, found),
    );
    return found.problems.length === 0 ? 0 : 2;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const asJson = (path: string, found: Inspection): unknown => ({
  path,
  format: found.format,
  revision: found.last.revision,
  objects: found.objects.length,
  problems: found.problems,
  leftovers: found.leftovers,
  withoutNamespace: withoutNamespace(found),
});

function asText(path: string, found: Inspection): string {
  const lines = [
    `${path}: format ${found.format}, revision ${found.last.revision}, ${found.objects.length} objects`,
  ];
  if (found.problems.length === 0) lines.push('Every record is as it was written.');
  else lines.push('It is damaged:', ...shortened(found.problems), remedy);
  if (found.leftovers > 0)
    lines.push(
      `An earlier version left ${found.leftovers} old records behind; the next start of boathook up removes them.`,
    );
  const strays = withoutNamespace(found);
  if (strays.length > 0)
    lines.push(
      'These objects are in namespaces that do not exist. They may have been deleted before:',
      ...shortened(strays),
    );
  return `${lines.join('\n')}\n`;
}

const remedy =
  'Restore a backup, or write what can be trusted into a new directory: boathook data salvage --to <path>';

const mostLines = 50;

export function shortened(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, mostLines).map((line) => `  ${line}`);
  return lines.length > mostLines ? [...shown, `  and ${lines.length - mostLines} more`] : shown;
}

/** An object whose namespace is missing was deleted and came back: a namespace is removed only when it is empty. */
function withoutNamespace({ objects }: Inspection): readonly string[] {
  const namespaces = new Set(
    objects.filter(({ resource }) => resource === '/namespaces').map(({ key }) => key.slice(1)),
  );
  return objects
    .filter(({ key }) => !key.startsWith('/') && !namespaces.has(key.slice(0, key.indexOf('/'))))
    .map(({ resource, key }) => `${resource} ${key}`);
}
