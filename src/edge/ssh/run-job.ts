import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import type { Millis } from '#base/time.ts';
import { ConnectionLost, UnexpectedAnswer } from './failure.ts';
import { askProgram, launchProgram, type JobCopy, type JobFile } from './launch-program.ts';
import { aboutJob, type LeftJob } from './left-job.ts';
import type { FrameListener, Lease } from './lease.ts';
import type { LineListener } from './output-lines.ts';
import { quote } from './quote.ts';
import { runnerProgram, type RunnerSettings } from './runner-program.ts';
import { tailLimit, takeOutput } from './take-output.ts';
import { makeFolder } from '#edge/make-folder.ts';

/** A script to run detached on a machine. */
export type Job = {
  /** Put into the job's work folder: scripts and what they read. */
  readonly files: readonly {
    readonly name: string;
    readonly content: Uint8Array;
    readonly executable: boolean;
  }[];
  /** A folder of the machine whose content is copied into the work folder. */
  readonly copyOf?: string;
  /**
   * Files that were delivered to the machine, and are copied into the job's folder: what runs is the copy, which
   * nobody but root can change once its digest was checked.
   */
  readonly delivered?: {
    readonly root: string;
    readonly files: readonly {
      readonly path: string;
      readonly digest: string;
      readonly size: number;
      readonly mode: number;
    }[];
  };
  /** Program and arguments; a program from the work folder begins with `./`, a delivered one is the delivered path. */
  readonly words: readonly string[];
  /** May hold secrets: it is written to a file of mode 0600. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Undefined: the job's work folder. */
  readonly cwd: string | undefined;
  readonly timeout: Millis | undefined;
  /** What it is known by to other operations that find it running. */
  readonly step: string;
  readonly fingerprint: string;
  /** Bytes kept of each of stdout and stderr. */
  readonly outputLimit: number;
};

/** Receives a job's output while it runs. */
export type JobOutput = {
  /** A file of the operator that receives all of it, if one does; replaced when the job is followed from its beginning again. */
  readonly log?: string | undefined;
  readonly onLine: LineListener;
  /** The limit of bytes of each stream that the machine keeps; no more is read than that and the end of it. */
  readonly kept: number;
  /** How long the machine may take to report the end; undefined: as long as it gives signs of life. */
  readonly patience?: Millis | undefined;
  /** Masked in everything that is stored and reported. */
  readonly secrets: Iterable<string>;
};

export type RemoteJobEnd =
  | { readonly type: 'exited'; readonly code: number; readonly lastLines: string }
  | { readonly type: 'timed-out'; readonly escaped: readonly number[]; readonly lastLines: string }
  | { readonly type: 'cancelled'; readonly escaped: readonly number[]; readonly lastLines: string }
  /** A newer operator has the node: this job was never started. */
  | { readonly type: 'refused' }
  /** Never started. */
  | { readonly type: 'absent' }
  /** Started, and ended without a result: its runner was killed, or the machine rebooted. */
  | { readonly type: 'lost' }
  | { readonly type: 'rebooted' }
  /** Its files could not be written; never started. */
  | { readonly type: 'unstaged'; readonly freeKilobytes: number | undefined }
  /** A delivered file is no longer what was delivered; never started. */
  | { readonly type: 'changed'; readonly path: string }
  /** It may be running. `given-up`: the machine sent unexpected replies, or its output cannot be kept. */
  | { readonly type: 'disconnected' | 'given-up'; readonly message: string };

export type JobSettings = Pick<
  RunnerSettings,
  'marker' | 'graceSeconds' | 'counter' | 'counterFile' | 'link'
> & {
  readonly folder: string;
  readonly about: Pick<LeftJob, 'cluster' | 'node' | 'operation'>;
};

/** Starts a job and follows it to its end. One that is there already is followed, never started again. */
export const runJob = (lease: Lease, place: JobSettings, job: Job, output: Followed): Promise<RemoteJobEnd> =>
  followed(
    lease,
    launchProgram(place.folder, jobFiles(place, job), { copyOf: job.copyOf, copies: copiesOf(job) }),
    {
      ...output,
      copied: job.delivered?.files.map(({ path }) => path) ?? [],
    },
  );

/** The folder, in a job's own, that holds the copies of delivered files. */
const copies = 'delivered';

/** The name of the folder stays, for those who look for it among the processes. */
const copyPath = (root: string, path: string): string =>
  root === '/' ? `${copies}${path}` : `${copies}${path.slice(root.lastIndexOf('/'))}`;

const copiesOf = ({ delivered }: Job): readonly JobCopy[] =>
  (delivered?.files ?? []).map(({ path, ...file }) => ({
    ...file,
    from: path,
    to: copyPath(delivered?.root ?? '/', path),
  }));

/** By its full path: a script may go elsewhere before it looks for what lies beside it. */
function wordsOf({ folder }: JobSettings, { words, delivered }: Job): readonly string[] {
  const [program = '', ...args] = words;
  return delivered === undefined ? words : [`${folder}/${copyPath(delivered.root, program)}`, ...args];
}

/** Says what became of a job; one that runs is followed to its end. */
export const askJob = (lease: Lease, folder: string, output: Followed): Promise<RemoteJobEnd> =>
  followed(lease, askProgram(folder), output);

type Followed = JobOutput & { readonly signal: AbortSignal; readonly copied?: readonly string[] };

function jobFiles(place: JobSettings, job: Job): readonly JobFile[] {
  const { cwd, outputLimit } = job;
  const settings: RunnerSettings = {
    ...place,
    words: wordsOf(place, job),
    cwd,
    outputLimit,
    tailLimit,
    timeoutSeconds: job.timeout === undefined ? undefined : job.timeout / 1000,
  };
  const text = (path: string, content: string): JobFile => ({
    path,
    content: new TextEncoder().encode(content),
    executable: false,
  });
  const env = job.env.map(({ name, value }) => `export ${name}=${quote(value)}\n`).join('');
  return [
    text('runner', runnerProgram(settings)),
    text('env', env),
    text('about', aboutJob({ ...place.about, step: job.step, fingerprint: job.fingerprint })),
    ...job.files.map(({ name, content, executable }) => ({ path: `work/${name}`, content, executable })),
  ];
}

async function followed(
  lease: Lease,
  program: string,
  { copied = [], signal, ...output }: Followed,
): Promise<RemoteJobEnd> {
  const { log = devNull, patience: limit } = output;
  const file = openLog(log);
  if (typeof file === 'object') return file;
  const taken = takeOutput(file, output);
  let end: RemoteJobEnd | undefined;
  const onFrame: FrameListener = (frame) => {
    if (frame.type === 'piece') taken.push(frame.stream, frame.bytes);
    else if (frame.type === 'end') end = endOf(frame.fields, taken.end(), copied);
  };
  try {
    await lease.follow(program, { onFrame, limit }, signal);
    return end ?? { type: 'lost' };
  } catch (error) {
    if (error instanceof ConnectionLost) return { type: 'disconnected', message: error.message };
    if (error instanceof UnexpectedAnswer) return { type: 'given-up', message: error.message };
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The program may run already, or be there from before, so it has not failed when its output cannot be kept here. */
function openLog(log: string): number | RemoteJobEnd {
  try {
    makeFolder(dirname(log));
    return openSync(log, 'w', 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { type: 'given-up', message: `The output of the script cannot be kept here: ${why}` };
  }
}

function endOf(
  fields: Readonly<Record<string, string>>,
  lastLines: string,
  copied: readonly string[],
): RemoteJobEnd {
  const escaped = (fields['escaped'] ?? '')
    .split(',')
    .filter((pid) => pid !== '')
    .map(Number);
  switch (fields['outcome']) {
    case 'exited':
      return { type: 'exited', code: Number(fields['code']), lastLines };
    case 'timed-out':
      return { type: 'timed-out', escaped, lastLines };
    case 'cancelled':
      return { type: 'cancelled', escaped, lastLines };
    case 'refused':
    case 'absent':
    case 'rebooted':
      return { type: fields['outcome'] };
    case 'changed':
      return { type: 'changed', path: copied[Number(fields['index'])] ?? '' };
    case 'unstaged':
      return { type: 'unstaged', freeKilobytes: Number(fields['free']) || undefined };
    default:
      return { type: 'lost' };
  }
}
