import type { SshSession } from '#edge/ssh/serve-ssh.ts';
import { SimulatedFiles } from '#embedded/machines/files/simulated-files.ts';
import { readRequest, type MachineRequest } from '#embedded/machines/requests/read-request.ts';
import { ByteReader } from './byte-reader.ts';
import { MachineLeases } from './leases.ts';
import type { MachineDeps, MachineParts } from './machine-parts.ts';
import { lookAt, putFiles } from './put-files.ts';
import { runText } from './run-text.ts';
import { serveAgent } from './serve-agent.ts';

/** A machine without a kernel: it answers what the operator asks over SSH, and nothing outside of it changes. */
export type SimulatedMachine = {
  /** Serves a session and returns its exit code. */
  readonly serve: (session: SshSession) => Promise<number>;
  readonly files: SimulatedFiles;
  /** Ends its scripts without a result and its leases, as a loss of power does; files stay. Its boot gets this id. */
  readonly crash: (bootId: string) => void;
};

export function createMachine(deps: MachineDeps): SimulatedMachine {
  let pid = 1000;
  const machine: MachineParts = {
    ...deps,
    files: new SimulatedFiles(deps.newDigest),
    leases: new MachineLeases(),
    jobs: new Map(),
    nextPid: () => (pid += 1),
  };
  return {
    async serve(session) {
      const { greeting, request } = readRequest(session.command);
      if (greeting !== '') {
        session.out(greeting);
        session.err(greeting);
      }
      return serveRequest(machine, request, session);
    },
    files: machine.files,
    crash(bootId) {
      for (const job of machine.jobs.values()) job.vanish();
      machine.leases.clear();
      machine.bootId = bootId;
    },
  };
}

async function serveRequest(
  machine: MachineParts,
  request: MachineRequest,
  session: SshSession,
): Promise<number> {
  const { files, jobs } = machine;
  switch (request.type) {
    case 'agent':
      return serveAgent(machine, request, session, new ByteReader(session.input));
    case 'look':
      session.out(lookAt(machine, request.paths));
      return 0;
    case 'put':
      return putFiles(machine, request.files, session, new ByteReader(session.input));
    case 'adopt':
      return adopt(machine, request.from, request.to);
    case 'cancel':
      jobs.get(request.folder)?.stop('cancelled');
      return 0;
    case 'remains':
      session.out(remainsOf(machine, request));
      return 0;
    case 'script': {
      const run = { args: ['sh', ...request.args], folder: '/root', variables: new Map<string, string>() };
      const io = { input: { rest: '' }, out: session.out, err: session.err };
      files.makeFolder('/root');
      return runText(machine, request.text, run, { io, signal: session.closed });
    }
  }
}

/** Gives a copy of a job that has ended to another operation. */
function adopt({ files, jobs }: MachineParts, from: string, to: string): number {
  const job = jobs.get(from);
  if (job?.outcome === undefined || jobs.has(to)) return 1;
  jobs.set(to, job);
  files.copy(from, to);
  return 0;
}

/** The paths that are still there, each ended by a NUL; with `purge` the folders of the node go first. */
function remainsOf(
  { files, jobs, leases }: MachineParts,
  { purge, node, cluster, paths }: Extract<MachineRequest, { type: 'remains' }>,
): string {
  const own = [...jobs].filter(([folder]) => folder.startsWith(`${node}/`));
  const isIdle = own.every(([, { outcome }]) => outcome !== undefined);
  if (purge && isIdle && !leases.isHeld(node)) {
    files.remove(node);
    for (const [folder] of own) jobs.delete(folder);
    if (files.list(cluster).length === 0) files.remove(cluster);
  }
  return [node, ...paths]
    .filter((path) => files.entry(path) !== undefined)
    .map((path) => `${path}\0`)
    .join('');
}
