import { millis, seconds } from '#base/time.ts';
import { archOfKernel } from '#machines/decide/architectures.ts';
import { engineVariables } from '#machines/decide/environment.ts';
import type { JobStep, TaskTarget } from '#machines/decide/plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import type { Job, RemoteJobEnd, JobOutput } from '#edge/ssh/run-job.ts';
import { deliverMaterials } from './deliver-materials.ts';
import type { OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';
import { outcomeOf, type JobAbout } from './outcome-of.ts';
import { bytesOf, MissingArtifact, textOf } from './render-pieces.ts';
import { deliverAgain } from './run-task.ts';

export type JobTask = {
  readonly step: JobStep;
  readonly target: TaskTarget;
  readonly attempt: number;
  /** An earlier operator started the job: read its result before starting it. */
  readonly asks: boolean;
  /** Aborted: a job that has not started does not start. */
  readonly stop: AbortSignal;
};

/** The name of a job on its node: each attempt has its own. */
export const jobName = (step: string, attempt: number): string => `${step}.${attempt}`;

/** Runs a script as a detached job, or takes up one that was started before. */
export async function runJobTask(
  operationLog: OperationLog,
  task: JobTask,
  session: NodeSession,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const { step, attempt, asks } = task;
  const name = jobName(step.id, attempt);
  const about = aboutOf(operationLog, task, session);
  if (asks) {
    const outcome = await askJobTask(operationLog, task, session, signal);
    if (outcome !== undefined) return outcome;
  }
  const prepared = await prepare(operationLog, task, session, signal);
  if ('type' in prepared) return prepared;
  task.stop.throwIfAborted();
  await intend(operationLog, task, session.node, about.log);
  const end = await persist({ operationLog, session, signal }, () =>
    session.machine().run(name, prepared, outputOf(operationLog, task, about), signal),
  );
  return outcomeOf(end, { ...about, adopted: false });
}

/** The result of a job that was started before, once it has ended; undefined: it was never started. */
export async function askJobTask(
  operationLog: OperationLog,
  task: JobTask,
  session: NodeSession,
  signal: AbortSignal,
): Promise<TaskOutcome | undefined> {
  const about = aboutOf(operationLog, task, session);
  await learnSecrets(operationLog, task);
  const end = await persist({ operationLog, session, signal }, () =>
    session.machine().ask(jobName(task.step.id, task.attempt), outputOf(operationLog, task, about), signal),
  );
  return end.type === 'absent' ? undefined : outcomeOf(end, about);
}

const aboutOf = (
  { io }: OperationLog,
  { step, attempt, asks }: JobTask,
  { node }: NodeSession,
): JobAbout & { readonly log: string } => ({
  step,
  node,
  log: io.logFile({ step: step.id, node, attempt }),
  adopted: asks,
});

/** Time between the timeout of a script and the moment when its machine must have reported the end. */
const reportGrace = seconds(30);

export function outputOf(
  { emit, secrets }: OperationLog,
  { step }: Pick<JobTask, 'step'>,
  { log, node }: { readonly log: string; readonly node: string },
): JobOutput {
  const { timeout, outputLimit } = step.policy;
  return {
    log,
    onLine: (stream, line) => emit({ type: 'output', step: step.id, node, stream, line }),
    kept: outputLimit,
    patience: timeout === undefined ? undefined : millis(timeout + reportGrace),
    secrets: secrets(),
  };
}

/** Reads the secrets that an earlier operator gave to the script, so that they are masked in its output. */
async function learnSecrets({ io }: OperationLog, { step, target }: JobTask): Promise<void> {
  const pieces = [...target.env, ...step.attachments.flatMap(({ content }) => content)];
  for (const piece of pieces) if (piece.type === 'secret') await io.secret(piece.ref);
}

/** After so many connections in a row that each last only a moment, reconnecting does not help. */
const mostHangUps = 20;
const moment = seconds(5);

type Persistence = {
  readonly operationLog: OperationLog;
  readonly session: NodeSession;
  readonly signal: AbortSignal;
};

/** Follows the job again after a lost connection. The name of the job prevents a second start. */
export async function persist(
  { operationLog, session, signal }: Persistence,
  act: () => Promise<RemoteJobEnd>,
): Promise<RemoteJobEnd> {
  const { clock } = operationLog.io;
  for (let hangUps = 1; ; hangUps++) {
    const begun = clock.now();
    const end = await act();
    if (end.type !== 'disconnected' || signal.aborted) return end;
    if (clock.now() - begun > moment) hangUps = 1;
    if (hangUps > mostHangUps) return end;
    operationLog.emit({ type: 'notice', node: session.node, message: `${end.message} Trying again.` });
    const trouble = await session.reconnect(signal).catch((error: unknown) => String(error));
    if (trouble !== undefined) return { type: 'disconnected', message: trouble };
  }
}

async function prepare(
  operationLog: OperationLog,
  { step, target, attempt, stop }: JobTask,
  session: NodeSession,
  signal: AbortSignal,
): Promise<Job | TaskOutcome> {
  const io = {
    ...operationLog.io,
    node: { arch: archOfKernel(session.machine().kernelArch() ?? '') },
  };
  const failed = (message: string): TaskOutcome => ({
    type: 'failed',
    message: `${session.node}: ${message}`,
  });
  if (step.program.type === 'delivered' && attempt > 1) {
    const delivered = await deliverAgain(operationLog, session, signal);
    if (delivered.type !== 'succeeded') return delivered;
  }
  const copied = await deliverMaterials(operationLog, step, session, stop);
  if (typeof copied === 'object') return copied;
  try {
    const program = await programOf(operationLog, step);
    if (typeof program === 'string') return failed(program);
    const attached = [];
    for (const { name, content } of step.attachments)
      attached.push({ name, content: await bytesOf(content, io), executable: false });
    const env = await environmentOf(step, target, io);
    const values = { BOATHOOK_RUN_ID: operationLog.id, BOATHOOK_ATTEMPT: String(attempt) };
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
  target: TaskTarget,
  io: Parameters<typeof textOf>[1],
): Promise<Job['env']> {
  const env = [];
  for (const [at, name] of envNames.entries()) {
    const piece = target.env[at];
    if (piece !== undefined) env.push({ name, value: await textOf(piece, io) });
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

async function programOf({ io }: OperationLog, { program }: JobStep): Promise<Prepared | string> {
  switch (program.type) {
    case 'delivered':
      return { path: program.path, files: [] };
    case 'material':
      return { path: `./${program.name}`, files: [] };
    case 'text':
      return inFolder(program.name, new TextEncoder().encode(program.text));
    case 'source': {
      const { content, digest } = await io.source(program.path);
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
  operationLog: OperationLog,
  { step, target, attempt }: JobTask,
  node: string,
  log: string,
): Promise<void> {
  const { id, title } = step;
  await operationLog.record({ type: 'intent', step: id, node, attempt, fingerprint: target.fingerprint });
  operationLog.emit({ type: 'task', step: id, title, node, state: 'Launched', attempt, log });
}
