import { harmlessText } from '#base/harmless-text.ts';
import { seconds, type Instant } from '#base/time.ts';

/** A script of another operation that still runs on a machine. */
export type LeftJob = {
  readonly since: Instant;
  /** The pid of its runner, which ends the job on a signal. */
  readonly pid: number;
  /** Names as its folders have them. */
  readonly cluster: string;
  readonly node: string;
  readonly operation: string;
  readonly step: string;
  /** Of script, arguments and environment; undefined for one that an earlier version started. */
  readonly fingerprint: string | undefined;
  readonly folder: string;
};

/** The fields of the file `about` in a job's folder. */
export const aboutJob = (
  job: Pick<LeftJob, 'cluster' | 'node' | 'operation' | 'step' | 'fingerprint'>,
): string =>
  `${[job.cluster, job.node, job.operation, encodeURIComponent(job.step), job.fingerprint || '-'].join(' ')}\n`;

/** Reads the agent's report of a job. */
export function leftJob(words: readonly string[]): LeftJob {
  const [
    since = '',
    pid = '',
    cluster = '?',
    node = '?',
    operation = '?',
    step = '?',
    finger = '-',
    ...folder
  ] = words;
  return {
    since: seconds(Number(since) || 0) as number as Instant,
    pid: Number(pid) || 0,
    cluster: harmlessText(cluster),
    node: harmlessText(node),
    operation: harmlessText(operation),
    step: harmlessText(decoded(step)),
    fingerprint: finger === '-' ? undefined : finger,
    folder: folder.join(' '),
  };
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    // Written by another program.
    return step;
  }
}
