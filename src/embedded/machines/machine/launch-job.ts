import { millis, seconds } from '#base/time.ts';
import { leftJob } from '#edge/ssh/left-job.ts';
import type { RunnerSettings } from '#edge/ssh/runner-program.ts';
import type { AgentTask } from '#embedded/machines/requests/read-launch.ts';
import { readRunner, readVariables } from '#embedded/machines/requests/read-runner.ts';
import { secondsNow, type MachineParts, type ScriptedRun } from './machine-parts.ts';
import { runText } from './run-text.ts';
import { SimulatedJob } from './simulated-job.ts';

type Launch = Extract<AgentTask, { type: 'launch' }>;

/** Starts a job, or returns in the words of a launcher why it cannot start. Undefined: its runner is not known. */
export function launchJob(machine: MachineParts, task: Launch): SimulatedJob | string | undefined {
  const { files } = machine;
  const text = (name: string): string => {
    const found = task.files.find(({ path }) => path === name);
    return found === undefined ? '' : new TextDecoder().decode(found.content);
  };
  const settings = readRunner(text('runner'));
  if (settings === undefined) return undefined;
  const changed = task.copies.findIndex(({ from, digest }) => {
    const entry = files.entry(from);
    return entry?.type !== 'file' || entry.digest !== digest;
  });
  if (changed >= 0) return `outcome=changed index=${changed}`;
  stage(machine, task);
  const about = { pid: machine.nextPid(), since: secondsNow(machine), about: text('about').trim() };
  const job = new SimulatedJob(about, settings);
  const node = settings.counterFile.replace(/\/counter$/, '');
  if (machine.leases.counter(node) > settings.counter) job.refuse();
  else void run(machine, job, { folder: task.folder, settings, variables: readVariables(text('env')) });
  return job;
}

function stage({ files }: MachineParts, { folder, files: given, copyOf, copies }: Launch): void {
  files.makeFolder(`${folder}/work`);
  if (copyOf !== undefined) files.copy(copyOf, `${folder}/work`);
  for (const { path, content, executable } of given)
    if (path.startsWith('work/')) files.put(`${folder}/${path}`, content, executable ? 0o700 : 0o600);
  for (const { from, to, mode } of copies) {
    const entry = files.entry(from);
    if (entry?.type === 'file') files.set(`${folder}/${to}`, { ...entry, mode });
  }
}

type Started = {
  readonly folder: string;
  readonly settings: RunnerSettings;
  readonly variables: ReadonlyMap<string, string>;
};

async function run(machine: MachineParts, job: SimulatedJob, started: Started): Promise<void> {
  const { timeoutSeconds } = started.settings;
  const cancel =
    timeoutSeconds === undefined
      ? undefined
      : machine.clock.after(seconds(timeoutSeconds), () => job.stop('timed-out'));
  const scripted = scriptedRun(machine, job);
  try {
    const code = await exitCode(machine, job, { ...started, scripted });
    const hasResult = job.end(code);
    scripted.ended?.(hasResult ? code : undefined);
  } catch {
    // Only the signal of the job ends a script from outside; the job knows why.
    job.end(undefined);
    scripted.ended?.(undefined);
  } finally {
    cancel?.();
  }
}

async function exitCode(
  machine: MachineParts,
  job: SimulatedJob,
  { folder, settings: { words, cwd }, variables, scripted }: Started & { readonly scripted: ScriptedRun },
): Promise<number> {
  const [program = ''] = words;
  const work = `${folder}/work`;
  const place = cwd ?? work;
  const io = {
    input: { rest: '' },
    out: (text: string) => job.stdout.print(text),
    err: (text: string) => job.stderr.print(text),
  };
  const entry = machine.files.entry(program, place);
  if (entry?.type !== 'file') {
    io.err(`${program}: there is no such program on this simulated machine\n`);
    return 127;
  }
  const { span, exit, slowness = 1 } = scripted;
  if (exit !== undefined) {
    await machine.clock.sleep(span ?? millis(usualSpan * slowness), job.signal);
    return exit;
  }
  const text = machine.files.read(program, place) ?? '#!/bin/large-binary\n';
  const run = { args: words, folder: place, variables, slowness: span === undefined ? slowness : 0 };
  // What it does is done at its end: a script that is ended before has done nothing.
  if (span !== undefined) await machine.clock.sleep(span, job.signal);
  return runText(machine, text, run, { io, signal: job.signal });
}

/** How long a script takes that fails without being run. */
const usualSpan = millis(1000);

function scriptedRun({ scripted }: MachineParts, { about }: SimulatedJob): ScriptedRun {
  const { operation, step } = leftJob(['0', '0', ...about.split(' ')]);
  return scripted?.({ operation, step }) ?? {};
}
