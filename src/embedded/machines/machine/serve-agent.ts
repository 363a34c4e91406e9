import { seconds } from '#base/time.ts';
import type { SshSession } from '#edge/ssh/serve-ssh.ts';
import { readAgentTask } from '#embedded/machines/requests/read-launch.ts';
import type { AgentRequest } from '#embedded/machines/requests/read-request.ts';
import { joinBytes, type ByteReader } from './byte-reader.ts';
import { launchJob } from './launch-job.ts';
import type { HeldLease } from './leases.ts';
import { secondsNow, type MachineParts } from './machine-parts.ts';
import type { SimulatedJob } from './simulated-job.ts';

/** The agent of a node, as edge/ssh/agent-program.ts describes it. */
export async function serveAgent(
  machine: MachineParts,
  request: AgentRequest,
  session: SshSession,
  input: ByteReader,
): Promise<number> {
  machine.files.makeFolder(request.operationFolder);
  session.out(`F ${machine.bootId} x86_64\n`);
  const taken = machine.leases.take(request, secondsNow(machine));
  if (taken.type === 'refused') {
    session.out(`L ${taken.words}\n`);
    return 0;
  }
  for (const [folder, job] of machine.jobs) session.out(leftJob(folder, job, request));
  session.out(`L taken ${taken.lease.counter} ${taken.old}\n`);
  try {
    return await listen(machine, taken.lease, session, input);
  } finally {
    machine.leases.release(taken.lease);
  }
}

/** A job of another operation that still runs. */
function leftJob(
  folder: string,
  { about, outcome, since, pid }: SimulatedJob,
  { scope }: AgentRequest,
): string {
  const [cluster, , operation] = about.split(' ');
  if (outcome !== undefined || `${cluster ?? ''} ${operation ?? ''}` === scope) return '';
  return `J ${Math.floor(since)} ${pid} ${about} ${folder}\n`;
}

async function listen(
  machine: MachineParts,
  lease: HeldLease,
  session: SshSession,
  input: ByteReader,
): Promise<number> {
  for (;;) {
    const [word, size = ''] = ((await input.line()) ?? 'q').split(' ');
    if (word === 't') {
      if (!machine.leases.holds(lease)) {
        session.out('L lost\n');
        return 0;
      }
      lease.touchedAt = secondsNow(machine);
    } else if (word === 'j') {
      const text = await textOf(input, Number(size));
      // Cut short by a broken connection: nothing of it is run.
      if (text.endsWith('\n# end')) void serveTask(machine, text.slice(0, -'\n# end'.length), session);
    } else if (word !== 'a') {
      if (word === 'd' && machine.leases.holds(lease)) forget(machine, lease.request.operationFolder);
      session.out('L released\n');
      return 0;
    }
  }
}

async function textOf(input: ByteReader, size: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of input.bytes(size)) pieces.push(piece);
  return new TextDecoder().decode(joinBytes(pieces));
}

/** Unless a job of it still runs: as the real agent, all of it or nothing. */
function forget({ files, jobs }: MachineParts, folder: string): void {
  const own = [...jobs].filter(([place]) => place.startsWith(`${folder}/`));
  if (own.some(([, { outcome }]) => outcome === undefined)) return;
  files.remove(folder);
  for (const [place] of own) jobs.delete(place);
}

const unknownText = 'this simulated machine does not know the program: use the same version of Boathook\n';
const unknownProgram = `E ${unknownText.length}\n${unknownText}X outcome=exited code=125 escaped=\n`;

async function serveTask(machine: MachineParts, program: string, session: SshSession): Promise<void> {
  const task = readAgentTask(program);
  if (task.type === 'unknown') return session.out(unknownProgram);
  const known = machine.jobs.get(task.folder);
  if (known !== undefined) return follow(machine, known, session);
  if (task.type === 'ask') return session.out('X outcome=absent\n');
  const job = launchJob(machine, task);
  if (job === undefined) return session.out(unknownProgram);
  if (typeof job === 'string') return session.out(`X ${job}\n`);
  machine.jobs.set(task.folder, job);
  return follow(machine, job, session);
}

/** As often as the real agent gives a sign of life. */
const beat = seconds(10);

async function follow({ clock }: MachineParts, job: SimulatedJob, session: SshSession): Promise<void> {
  let cancel = (): void => undefined;
  const tick = (): void => {
    session.out('.\n');
    cancel = clock.after(beat, tick);
  };
  cancel = clock.after(beat, tick);
  try {
    for (let at = 0; ; at += 1) {
      while (at >= job.pieces.length && job.outcome === undefined && !session.closed.aborted)
        await job.changed();
      const piece = job.pieces[at];
      if (session.closed.aborted) return;
      if (piece === undefined) return session.out(`X ${job.outcome ?? ''}\n`);
      session.out(`${piece.stream === 'stdout' ? 'O' : 'E'} ${piece.bytes.length}\n`);
      session.out(piece.bytes);
    }
  } finally {
    cancel();
  }
}
