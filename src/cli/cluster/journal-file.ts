import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JournalRecord } from '#decide/machines/progress.ts';

export type JournalFile = {
  /** Settles when the record is on the disk. Records that wait together share one fsync. */
  append(record: JournalRecord): Promise<void>;
  close(): Promise<void>;
};

/** One record per line. A last line that a crash cut short never counted: its effect had not begun. */
export function readJournal(path: string): readonly JournalRecord[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalRecord);
}

export async function openJournalFile(path: string): Promise<JournalFile> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  dropTornLine(path);
  const file = await open(path, 'a', 0o600);
  let waiting: { readonly line: string; readonly done: PromiseWithResolvers<void> }[] = [];
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await file.appendFile(batch.map(({ line }) => line).join(''));
        await file.datasync();
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    writing = undefined;
  };
  return {
    append(record) {
      const done = Promise.withResolvers<void>();
      waiting.push({ line: `${JSON.stringify(record)}\n`, done });
      writing ??= write();
      return done.promise;
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

function dropTornLine(path: string): void {
  if (!existsSync(path)) return;
  const content = readFileSync(path);
  const whole = content.lastIndexOf(0x0a) + 1;
  if (whole === content.length) return;
  const file = openSync(path, 'r+');
  ftruncateSync(file, whole);
  closeSync(file);
}
