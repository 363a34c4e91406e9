import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { formatTime, millis, seconds, type Clock } from '#base/time.ts';
import type { EngineIo } from '#machines/engine/io.ts';
import { runPlan, type RunEnd, type Work } from '#machines/engine/run-plan.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { ClusterNode, SecretRef } from '#machines/decide/model.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { systemClock } from '#edge/clock.ts';
import { openOperationJournal } from '#edge/operation-journal.ts';
import { systemRandom } from '#edge/random.ts';
import { Secret } from '#edge/secret.ts';
import { openHostKeys } from '#edge/ssh/host-keys.ts';
import { openMachines } from '#edge/ssh/machines.ts';

/** An operation as plain values, so that it can also be handed to a process of its own. */
export type OperatorWork = {
  readonly id: string;
  readonly plan: MachinePlan;
  readonly nodes: readonly ClusterNode[];
  /** Journal, logs, artifacts and known hosts. */
  readonly dataDir: string;
  readonly stateDir?: string;
  readonly graceMillis?: number;
  readonly leaseTouchMillis?: number;
  readonly leaseStaleMillis?: number;
  readonly patienceMillis?: number;
  readonly connectMillis?: number;
  readonly insecure?: boolean;
  readonly agentSocket?: string;
  readonly purge?: boolean;
};

export type Watching = {
  readonly signal?: AbortSignal;
  readonly emit?: (event: ProgressEvent) => void;
  readonly replan?: () => Promise<MachinePlan>;
  /** That of the system unless given. */
  readonly clock?: Clock;
};

/** What the command line does with a plan, without the command line. */
export async function operate(work: OperatorWork, watching: Watching = {}): Promise<RunEnd> {
  const { id, plan, dataDir } = work;
  const journal = openOperationJournal<JournalRecord>(journalPath(work));
  const { clock = systemClock } = watching;
  const emit = watching.emit ?? ((): void => undefined);
  const machines = openMachines({
    stateDir: work.stateDir ?? '/var/lib/boathook',
    localStateDir: join(dataDir, 'local'),
    cluster: plan.cluster,
    operation: id,
    grace: millis(work.graceMillis ?? 10_000),
    clock,
    connector: {
      hostKeys: openHostKeys({
        files: [],
        record: join(dataDir, 'known_hosts'),
        insecure: work.insecure ?? false,
      }),
      agentSocket: work.agentSocket,
      timeout: millis(work.connectMillis ?? 20_000),
      clock,
      random: systemRandom,
    },
  });
  try {
    return await runPlan(
      { ...workOf(work), records: journal.entries },
      {
        clock,
        random: systemRandom,
        machines,
        secret: (ref) => Promise.resolve(secretOf(ref)),
        append: (record) => journal.append(record),
        emit,
        ...ioOnDisk(dataDir),
        ...(watching.replan !== undefined && { replan: watching.replan }),
      },
      watching.signal ?? new AbortController().signal,
    );
  } finally {
    machines.close();
    await journal.close();
  }
}

function workOf(work: OperatorWork): Omit<Work, 'records'> {
  const { id, plan, nodes } = work;
  return {
    id,
    plan,
    nodes: new Map(nodes.map((node) => [node.name, node])),
    holder: `${hostname()} ${process.pid} ${formatTime(systemClock.now())} ${plan.operation}`,
    leaseTouch: millis(work.leaseTouchMillis ?? 10_000),
    leaseStale: millis(work.leaseStaleMillis ?? 30_000),
    patience: millis(work.patienceMillis ?? seconds(60)),
    purge: work.purge ?? false,
  };
}

const journalPath = ({ dataDir, id }: Pick<OperatorWork, 'dataDir' | 'id'>): string =>
  join(dataDir, `${id}.journal`);

export const journalOf = (work: Pick<OperatorWork, 'dataDir' | 'id'>): readonly JournalRecord[] =>
  readFileSync(journalPath(work), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalRecord);

export const digestOf = (content: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

function ioOnDisk(dataDir: string): Pick<EngineIo, 'source' | 'artifacts' | 'logFile'> {
  const artifact = (name: string): string => join(dataDir, 'artifacts', name);
  return {
    source(path) {
      const content = readFileSync(path);
      return Promise.resolve({ content, digest: digestOf(content) });
    },
    artifacts: {
      read: (name) => Promise.resolve(readFileSync(artifact(name))),
      write(name, content) {
        mkdirSync(join(dataDir, 'artifacts'), { recursive: true, mode: 0o700 });
        writeFileSync(artifact(name), content, { mode: 0o600 });
        return Promise.resolve();
      },
    },
    logFile: ({ step, node, attempt }) => join(dataDir, 'logs', node, `${step}.${attempt}.log`),
  };
}

function secretOf(ref: SecretRef): Secret {
  if (ref.type !== 'file') throw new Error('tests keep their secrets in files');
  return new Secret(readFileSync(ref.path, 'utf8'));
}
