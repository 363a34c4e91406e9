import { millis, seconds } from '#base/time.ts';
import { archOfKernel } from '#machines/decide/architectures.ts';
import { engineVariables } from '#machines/decide/environment.ts';
import type { JobStep, TaskTarget as Target } from '#machines/decide/plan.ts';
import type { TaskOutcome as Outcome } from '#machines/decide/progress.ts';
import type { Job, RemoteJobEnd, JobOutput } from '#edge/ssh/run-job.ts';
import { deliverMaterials } from './deliver-materials.ts';
import type { Desk } from './desk.ts';
import type { Hand } from './hands.ts';
import { outcomeOf, type JobAbout } from './outcome-of.ts';
import { bytesOf, MissingArtifact, textOf } from './pieces.ts';
import { deliverAgain } from './run-task.ts';

export type JobTask = {
  readonly step: JobStep;
  readonly target: Target;
  readonly attempt: number;
  /** An earlier operator wrote the intent. */
  readonly asks: boolean;
  /** Aborted: a job that is not started yet never is. */
  readonly stop: AbortSignal;
};

/** The name of a job on its node: each attempt has its own. */
export const jobName = (step: string, attempt: number): string => `${step}.${attempt}`;

/** Runs a script as a detached job, or takes up one that was started before. */
export async function runJobTask(
  desk: Desk,
  task: JobTask,
  hand: Hand,
  signal: AbortSignal,
): Promise<Outcome> {
  const { step, attempt, asks } = task;
  const name = jobName(step.id, attempt);
  const about = {
    step,
    node: hand.node,
    log: desk.doors.logFile({ step: step.id, node: hand.node, attempt }),
    adopted: asks,
  };
  if (asks) {
    await learnSecrets(desk, task);
    const end = await persist({ desk, hand, signal }, () =>
      hand.machine().ask(name, outputOf(desk, task, about), signal),
    );
    if (end.type !== 'absent') return outcomeOf(end, about);
  }
  const prepared = await prepare(desk, task, hand, signal);
  if ('type' in prepared) return prepared;
  task.stop.throwIfAborted();
  await intend(desk, task, hand.node, about.log);
  const end = await persist({ desk, hand, signal }, () =>
    hand.machine().run(name, prepared, outputOf(desk, task, about), signal),
  );
  return outcomeOf(end, { ...about, adopted: false });
}

/** Between the limit of a script and the moment when its machine must have reported its end. */
const reportGrace = seconds(30);

export function outputOf(
  { tell, secrets }: Desk,
  { step }: Pick<JobTask, 'step'>,
  { log, node }: Pick<JobAbout, 'log' | 'node'>,
): JobOutput {
  const { timeout, outputLimit } = step.policy;
  return {
    log,
    onLine: (stream, line) => tell({ type: 'output', step: step.id, node, stream, line }),
    kept: outputLimit,
    patience: timeout === undefined ? undefined : millis(timeout + reportGrace),
    secrets: secrets(),
  };
}

/** What an earlier operator gave to a script must not be told by this one. */
async function learnSecrets({ doors }: Desk, { step, target }: JobTask): Promise<void> {
  const pieces = [...target.env, ...step.attachments.flatMap(({ content }) => content)];
  for (const piece of pieces) if (piece.type === 'secret') await doors.secret(piece.ref);
}

/** A machine that hangs up so often, each time after a moment, will do so for ever. */
const mostHangUps = 20;
const moment = seconds(5);

type Persistence = { readonly desk: Desk; readonly hand: Hand; readonly signal: AbortSignal };

/** After a lost connection the job is followed again: starting it a second time is impossible by its name. */
async function persist(
  { desk, hand, signal }: Persistence,
  act: () => Promise<RemoteJobEnd>,
): Promise<RemoteJobEnd> {
  const { clock } = desk.doors;
  for (let hangUps = 1; ; hangUps++) {
    const begun = clock.now();
    const end = await act();
    if (end.type !== 'disconnected' || signal.aborted) return end;
    if (clock.now() - begun > moment) hangUps = 1;
    if (hangUps > mostHangUps) return end;
    desk.tell({ type: 'notice', node: hand.node, message: `${end.message} Trying again.` });
    const trouble = await hand.again(signal).catch((error: unknown) => String(error));
    if (trouble !== undefined) return { type: 'disconnected', message: trouble };
  }
}

async function prepare(
  desk: Desk,
  { step, target, attempt, stop }: JobTask,
  hand: Hand,
  signal: AbortSignal,
): Promise<Job | Outcome> {
  const doors = {
    ...desk.doors,
    node: { arch: archOfKernel(hand.machine().kernelArch() ?? '') },
  };
  const failed = (message: string): Outcome => ({ type: 'failed', message: `${hand.node}: ${message}` });
  if (step.program.type === 'delivered' && attempt > 1) {
    const delivered = await deliverAgain(desk, hand, signal);
    if (delivered.type !== 'succeeded') return delivered;
  }
  const copied = await deliverMaterials(desk, step, hand, stop);
  if (typeof copied === 'object') return copied;
  try {
    const program = await programOf(desk, step);
    if (typeof program === 'string') return failed(program);
    const attached = [];
    for (const { name, content } of step.attachments)
      attached.push({ name, content: await bytesOf(content, doors), executable: false });
    const env = await environmentOf(step, target, doors);
    const values = { BOATHOOK_RUN_ID: desk.id, BOATHOOK_ATTEMPT: String(attempt) };
    const added = engineVariables.map((name) => ({ name, value: values[name] }));
    return {
      files: [...program.files, ...attached],
      ...(copied !== undefined && { copyOf: copied }),
      words: [program.path, ...step.argv],
      ...deliveredPart(step),
      step: step.id,
      fingerprint: target.fingerprint,
      env: [...env, ...added],
      cwd: step.cwd,
      timeout: step.policy.timeout,
      outputLimit: step.policy.outputLimit,
    };
  } catch (error) {
    if (error instanceof MissingArtifact) return failed(error.message);
    throw error;
  }
}

async function environmentOf(
  { envNames }: JobStep,
  target: Target,
  doors: Parameters<typeof textOf>[1],
): Promise<Job['env']> {
  const env = [];
  for (const [at, name] of envNames.entries()) {
    const piece = target.env[at];
    if (piece !== undefined) env.push({ name, value: await textOf(piece, doors) });
  }
  return env;
}

function deliveredPart({ program }: JobStep): Pick<Job, 'delivered'> {
  if (program.type !== 'delivered' || program.folder === undefined) return {};
  const { root, files } = program.folder;
  const plain = files.map(({ dst, digest, size, mode }) => ({
    path: dst,
    digest: digest.replace(/^sha256:/, ''),
    size,
    mode,
  }));
  return { delivered: { root, files: plain } };
}

type Prepared = { readonly path: string; readonly files: Job['files'] };

async function programOf({ doors }: Desk, { program }: JobStep): Promise<Prepared | string> {
  switch (program.type) {
    case 'delivered':
      return { path: program.path, files: [] };
    case 'material':
      return { path: `./${program.name}`, files: [] };
    case 'text':
      return inFolder(program.name, new TextEncoder().encode(program.text));
    case 'source': {
      const { content, digest } = await doors.source(program.path);
      if (digest !== program.digest)
        return `${program.path} has changed since the plan was made: plan again, and leave the file alone meanwhile.`;
      return inFolder(program.path.slice(program.path.lastIndexOf('/') + 1), content);
    }
  }
}

const inFolder = (name: string, content: Uint8Array): Prepared => ({
  path: `./${name}`,
  files: [{ name, content, executable: true }],
});

async function intend(
  desk: Desk,
  { step, target, attempt }: JobTask,
  node: string,
  log: string,
): Promise<void> {
  const { id, title } = step;
  await desk.note({ type: 'intent', step: id, node, attempt, fingerprint: target.fingerprint });
  desk.tell({ type: 'task', step: id, title, node, state: 'Launched', attempt, log });
}
