import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#edge/clock.ts';
import { makeSshKey } from '#edge/ssh/make-key.ts';
import { serveSsh, type SshSession } from '#edge/ssh/serve-ssh.ts';
import { systemTasks } from '#edge/tasks.ts';
import type { NewDigest } from '#embedded/machines/files/simulated-files.ts';
import { createMachine, type SimulatedMachine } from '#embedded/machines/machine/simulated-machine.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import { ownNetwork } from './own-network.ts';
import { nodeAt } from './sshd/plans.ts';

const newDigest: NewDigest = () => {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
};

/** A simulated machine without an SSH server. */
export const bareMachine = (): SimulatedMachine =>
  createMachine({
    hostname: 'machine-1',
    bootId: randomUUID(),
    clock: systemClock,
    tasks: systemTasks,
    newDigest,
  });

export type RanCommand = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command on a machine as an SSH session does. */
export async function runOn(machine: SimulatedMachine, command: string): Promise<RanCommand> {
  const printed = { out: '', err: '' };
  const session: SshSession = {
    command,
    input: none(),
    out: (bytes) => void (printed.out += typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()),
    err: (text) => void (printed.err += text),
    closed: new AbortController().signal,
  };
  return { code: await machine.serve(session), ...printed };
}

async function* none(): AsyncGenerator<Uint8Array> {
  // No input.
}

export type ServedMachine = {
  readonly folder: string;
  readonly node: ClusterNode;
  readonly machine: SimulatedMachine;
  dataDir(): string;
  [Symbol.dispose](): void;
};

/** A simulated machine behind an SSH server of this process. */
export async function serveMachine(): Promise<ServedMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'boathook-simulated-'));
  const login = makeSshKey('test');
  const key = join(folder, 'key');
  writeFileSync(key, login.privateKey, { mode: 0o600 });
  const machine = bareMachine();
  const address = `127.${await ownNetwork()}.77.1`;
  const server = await serveSsh({
    address,
    port: 2222,
    hostKey: makeSshKey('host').privateKey,
    user: 'root',
    publicKey: login.publicKey,
    serve: (session) => machine.serve(session),
  });
  return {
    folder,
    machine,
    node: nodeAt('node-1', { address, port: 2222, key }),
    dataDir: () => {
      const path = mkdtempSync(join(folder, 'data-'));
      mkdirSync(path, { recursive: true });
      return path;
    },
    [Symbol.dispose]() {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
