import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  write,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from './make-folder.ts';

/** What an operation intended and what came of it: a line of JSON each, on the disk before anybody relies on it. */
export type OperationJournal<Entry> = {
  /** What was written before it was opened. */
  readonly entries: readonly Entry[];
  /**
   * Settles when the entry is durable. Entries are kept in the order of the calls: after one that cannot be written,
   * none is.
   */
  append(entry: Entry): Promise<void>;
  /** Waits for what was appended. */
  close(): Promise<void>;
};

const writePart = promisify(write);
const sync = promisify(fdatasync);

/** Opens a journal, or creates it. A last line cut off by a crash was never acknowledged and is removed. */
export function openOperationJournal<Entry>(path: string): OperationJournal<Entry> {
  makeFolder(dirname(path));
  const file = openSync(path, 'a+', 0o600);
  const { entries, length, total } = readEntries<Entry>(path);
  if (length < total) ftruncateSync(file, length);
  syncFolder(dirname(path));
  let pending: { readonly line: string; readonly done: PromiseWithResolvers<void> }[] = [];
  let working: Promise<void> | undefined;
  let good = length;
  let failure: { readonly error: unknown } | undefined;
  // Entries that wait together share one write and one sync.
  const work = async (): Promise<void> => {
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        if (failure !== undefined) throw failure.error;
        const bytes = Buffer.from(batch.map(({ line }) => line).join(''));
        await writeAll(file, bytes);
        await sync(file);
        good += bytes.length;
        for (const { done } of batch) done.resolve();
      } catch (error) {
        failure ??= { error: afterCut(file, good, error) };
        for (const { done } of batch) done.reject(failure.error);
      }
    }
    working = undefined;
  };
  return {
    entries,
    append(entry) {
      const done = Promise.withResolvers<void>();
      pending.push({ line: `${JSON.stringify(entry)}\n`, done });
      working ??= work();
      return done.promise;
    },
    async close() {
      await working;
      closeSync(file);
    },
  };
}

/** The first write that does not fit on a disk is short, and no error. */
async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await writePart(file, bytes, from, bytes.length - from, null);
    if (bytesWritten === 0) throw new Error('nothing more can be written');
    from += bytesWritten;
  }
}

/** What follows the last good line was never acknowledged. Why it could not be written, and whether it is gone. */
function afterCut(file: number, good: number, error: unknown): unknown {
  try {
    ftruncateSync(file, good);
    return error;
  } catch (second) {
    return new AggregateError([error, second], `${String(error)}; its end is not cut off: ${String(second)}`);
  }
}

/** What a journal holds, without opening it for more; nothing where there is none. */
export function readOperationJournal(path: string): readonly unknown[] {
  return existsSync(path) ? readEntries<unknown>(path).entries : [];
}

type Found<Entry> = { readonly entries: readonly Entry[]; readonly length: number; readonly total: number };

function readEntries<Entry>(path: string): Found<Entry> {
  const bytes = readFileSync(path);
  const length = bytes.lastIndexOf('\n') + 1;
  const lines = bytes.subarray(0, length).toString('utf8').split('\n');
  const entries = lines.flatMap((line, at) => (line === '' ? [] : [parsed(line, at + 1) as Entry]));
  return { entries, length, total: bytes.length };
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    throw new Error(`line ${number} is no JSON`, { cause: error });
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
