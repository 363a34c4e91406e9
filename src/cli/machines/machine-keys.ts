import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#edge/make-folder.ts';
import { makeSshKey, type SshKeyPair } from '#edge/ssh/make-key.ts';
import { writeFileAtomically } from '#edge/write-file.ts';

/** The key that logs in, and a key for each machine. */
export type MachineKeys = { readonly login: SshKeyPair; readonly hosts: readonly SshKeyPair[] };

/** Keys in a folder that only its owner reads. They are made once: what was written down about them stays true. */
export function ensureMachineKeys(folder: string, count: number): MachineKeys {
  makeFolder(folder);
  const hosts = Array.from({ length: count }, (_, at) => ensureKey(join(folder, `host-key-${at + 1}`)));
  return { login: ensureKey(join(folder, 'key')), hosts };
}

function ensureKey(path: string): SshKeyPair {
  const known = [path, `${path}.pub`].map(textOf);
  const [privateKey, publicKey] = known;
  if (privateKey !== undefined && publicKey !== undefined) return { privateKey, publicKey };
  const made = makeSshKey('boathook-simulated');
  writeFileAtomically(path, made.privateKey, 0o600);
  writeFileAtomically(`${path}.pub`, `${made.publicKey}\n`, 0o644);
  return made;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
