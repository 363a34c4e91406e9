import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { numberAt, textAt, type Json } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { makeFolder } from '#edge/make-folder.ts';
import { clusterFolder, journalPath, operationFolder } from '#machines/cli/files/folders.ts';

/** One attempt of a script on a machine. */
export type ScriptAttempt = { readonly node: string; readonly step: string; readonly attempt: number };

/** The list of the outputs of an operation, in the order in which the scripts began. */
const indexPath = (operation: string): string => join(operation, 'outputs.jsonl');

/** Notes that an attempt begins, so that its output can be found by its names. */
export function noteAttempt(operation: string, { node, step, attempt }: ScriptAttempt): void {
  makeFolder(operation);
  appendFileSync(indexPath(operation), `${printJson({ node, step, attempt })}\n`, { mode: 0o600 });
}

/** The attempts of an operation, each once. */
export function attemptsIn(operation: string): readonly ScriptAttempt[] {
  const path = indexPath(operation);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  const found = new Map(lines.flatMap((line) => attemptOf(line)).map((each) => [printJson(each), each]));
  return [...found.values()];
}

function attemptOf(line: string): readonly ScriptAttempt[] {
  const json = parsed(line);
  const [node, step, attempt] = [textAt(json, 'node'), textAt(json, 'step'), numberAt(json, 'attempt')];
  return node === undefined || step === undefined || attempt === undefined ? [] : [{ node, step, attempt }];
}

function parsed(line: string): Json {
  try {
    return parseJson(line);
  } catch {
    // The empty end, or a line that a crash has cut.
    return null;
  }
}

/** The operations of a cluster whose outputs are kept, the one that began last at the end. */
export function keptOperations(dataDir: string, cluster: string): readonly string[] {
  const folder = clusterFolder(dataDir, cluster);
  const all = join(folder, 'operations');
  if (!existsSync(all)) return [];
  const dated = readdirSync(all).flatMap((id) => {
    const began = beganAt(operationFolder(folder, id));
    return began === undefined ? [] : [{ id, began }];
  });
  return dated.toSorted((a, b) => a.began - b.began || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

function beganAt(operation: string): number | undefined {
  const stat = statSync(indexPath(operation), { throwIfNoEntry: false });
  // Some file systems do not keep when a file was made.
  return stat === undefined || stat.birthtimeMs > 0 ? stat?.birthtimeMs : stat.mtimeMs;
}

/** Scripts of HookRuns have operations of their own. */
export const isOfHookRun = (operation: string): boolean => operation.startsWith('hookrun-');

type Dropping = { readonly most: number; readonly isInUse: (folder: string) => boolean };

/** Removes the outputs of the oldest operations. Those of commands on files have a journal and stay. */
export function dropOldest(
  dataDir: string,
  { cluster, operation }: { readonly cluster: string; readonly operation: string },
  { most, isInUse }: Dropping,
): void {
  const folder = clusterFolder(dataDir, cluster);
  const removable = keptOperations(dataDir, cluster)
    .filter((id) => isOfHookRun(id) === isOfHookRun(operation))
    .map((id) => operationFolder(folder, id))
    .filter((each) => !existsSync(journalPath(each)));
  for (const each of removable.slice(0, Math.max(0, removable.length - most)))
    if (!isInUse(each)) rmSync(each, { recursive: true, force: true });
}
