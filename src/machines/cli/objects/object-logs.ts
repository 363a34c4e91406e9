import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { harmlessText } from '#base/harmless-text.ts';
import { operationFolder } from '#machines/cli/files/folders.ts';
import { ExitError } from '#command/exit.ts';

/** Which output to print. */
export type WantedLogs = {
  /** The operation in progress; undefined: the last one. */
  readonly operation: string | undefined;
  /** Only the output of this Machine; undefined: of the Cluster. */
  readonly machine: string | undefined;
  readonly node: string | undefined;
  readonly step: string;
};

/** What scripts printed, from the folder of a cluster in the data directory of the controller. */
export function printObjectLogs(folder: string, wanted: WantedLogs): void {
  const logs = logsFolder(folder, wanted);
  const all = readdirSync(logs).sort();
  const node = wanted.machine ?? wanted.node;
  const chosen = all.filter((each) => node === undefined || node === each);
  const files = chosen.flatMap((each) =>
    readdirSync(join(logs, each))
      .filter((file) => file.includes(wanted.step))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map((file) => [each, file] as const),
  );
  if (files.length === 0)
    throw new ExitError(2, `There is no such output. Machines with output: ${all.join(', ')}`);
  for (const [each, file] of files) {
    const path = join(logs, each, file);
    const text = harmlessText(readFileSync(path, 'utf8'));
    const end = text === '' || text.endsWith('\n') ? '' : '\n';
    process.stdout.write(`==> ${each} ${file} (${path})\n${text}${end}`);
  }
}

/** Of the operation under way, else of the last one that was about the object itself. */
function logsFolder(folder: string, { operation, machine }: WantedLogs): string {
  const all = join(folder, 'operations');
  const known = existsSync(all) ? readdirSync(all).sort() : [];
  const logsOf = (id: string): string => join(operationFolder(folder, id), 'logs');
  const isOwn = (id: string): boolean => {
    const nodes = existsSync(logsOf(id)) ? readdirSync(logsOf(id)) : [];
    if (machine !== undefined) return nodes.includes(machine);
    return nodes.length > 0 && (id.includes('-cluster-') || nodes.some(isMaster));
  };
  const own = known.filter(isOwn);
  const last = operation !== undefined && own.includes(operation) ? operation : own.at(-1);
  if (last !== undefined) return logsOf(last);
  throw new ExitError(
    2,
    `There is no output under ${folder}: run this where the controller runs, with its --data-dir`,
  );
}

/** Masters are known by their addresses, workers by the names of their Machines. */
const isMaster = (node: string): boolean => isIP(node) !== 0 || node.includes('_');
