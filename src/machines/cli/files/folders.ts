import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MachinePlan } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { writeFileAtomically } from '#edge/write-file.ts';
import { readJournal } from './journal-file.ts';
import { ownRecord } from './own-record.ts';

/** Everything about one cluster under the data directory; for its owner only. */
export const clusterFolder = (dataDir: string, cluster: string): string =>
  join(dataDir, 'machines', safeName(cluster));

export const knownHostsRecord = (dataDir: string): string => join(dataDir, 'machines', 'known_hosts');

export const operationFolder = (cluster: string, operation: string): string =>
  join(cluster, 'operations', operation);

export const journalPath = (operation: string): string => join(operation, 'journal.jsonl');

export const logPath = (operation: string, node: string, job: string): string =>
  join(operation, 'logs', safeName(node), `${safeName(job)}.log`);

/** A unique file name for a name. */
function safeName(name: string): string {
  if (/^[A-Za-z0-9_@][\w.@-]{0,120}$/.test(name)) return name;
  const readable = name.replaceAll(/[^\w.@-]+/g, '_').slice(0, 80);
  return `${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

export type PastOperation = {
  readonly id: string;
  readonly folder: string;
  readonly records: readonly JournalRecord[];
};

/** A rollback is part of the operation that it undoes: `<operation>-rollback-<number>`. */
const isRollback = (name: string): boolean => /-rollback(-\d+)?$/.test(name);

/** Each rollback has its own name, so that it does not adopt the jobs of an earlier rollback. */
export const nextRollbackId = (cluster: string, operation: string): string =>
  `${operation}-rollback-${rollbackIds(cluster, operation).length + 1}`;

const rollbackIds = (cluster: string, operation: string): readonly string[] =>
  begunIn(cluster)
    .filter((name) => name.startsWith(`${operation}-rollback`))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));

/** All that were begun, oldest first: their names begin with the time. */
export const operationIds = (cluster: string): readonly string[] =>
  begunIn(cluster).filter((name) => !isRollback(name));

function begunIn(cluster: string): readonly string[] {
  const folder = join(cluster, 'operations');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(journalPath(join(folder, name))))
    .sort();
}

export function operationIn(cluster: string, id: string): PastOperation {
  const folder = operationFolder(cluster, id);
  return { id, folder, records: readJournal(journalPath(folder)) };
}

/** The operation that was begun last. */
export function lastOperation(cluster: string): PastOperation | undefined {
  const id = operationIds(cluster).at(-1);
  return id === undefined ? undefined : operationIn(cluster, id);
}

/** The last rollback of an operation, if one was begun. */
export function rollbackIn(cluster: string, operation: string): PastOperation | undefined {
  const id = rollbackIds(cluster, operation).at(-1);
  return id === undefined ? undefined : operationIn(cluster, id);
}

/** Plans hold references to secrets, not their values. */
export function writePlan(operation: string, plan: MachinePlan): void {
  mkdirSync(operation, { recursive: true, mode: 0o700 });
  writeFileAtomically(join(operation, 'plan.json'), JSON.stringify(plan), 0o600);
}

export function readPlan(operation: string): MachinePlan {
  const path = join(operation, 'plan.json');
  return ownRecord(path, () => JSON.parse(readFileSync(path, 'utf8')) as MachinePlan);
}

/** Files fetched from the nodes, such as the kubeconfig. */
export function openArtifacts(cluster: string): {
  readonly folder: string;
  read(name: string): Promise<Uint8Array | undefined>;
  write(name: string, content: Uint8Array): Promise<void>;
} {
  const folder = join(cluster, 'artifacts');
  return {
    folder,
    async read(name) {
      const path = join(folder, safeName(name));
      return existsSync(path) ? readFile(path) : undefined;
    },
    async write(name, content) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileAtomically(join(folder, safeName(name)), Buffer.from(content).toString('utf8'), 0o600);
    },
  };
}
