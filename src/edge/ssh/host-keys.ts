import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { knownName, parseKnownHosts, speaksOf, type KnownHost } from './known-hosts.ts';
import type { SshHost } from './target.ts';
import { makeFolder } from '#edge/make-folder.ts';

export type HostKeyOptions = {
  /** known_hosts files that are read; a missing one is empty. */
  readonly files: readonly string[];
  /** Where keys seen for the first time are kept; it is read as well. Undefined: unknown keys are refused. */
  readonly record: string | undefined;
  /** Any key is accepted, and none is recorded. */
  readonly insecure: boolean;
};

export type HostKeyVerdict =
  | { readonly type: 'accepted' }
  | { readonly type: 'recorded'; readonly fingerprint: string }
  | { readonly type: 'refused'; readonly message: string };

/** What is known of machines' keys. */
export type HostKeys = {
  judge(host: SshHost, key: Uint8Array): HostKeyVerdict;
  /** Types of the keys known for a machine: asking for those first finds the key that is known. */
  typesOf(host: SshHost): readonly string[];
};

export function openHostKeys({ files, record, insecure }: HostKeyOptions): HostKeys {
  const read = record === undefined ? files : [...files, record];
  const known: Known[] = read.flatMap((file) =>
    parseKnownHosts(textOf(file)).map((entry) => ({ ...entry, file })),
  );
  const linesOf = ({ address, port }: SshHost): readonly Known[] =>
    known.filter((entry) => entry.marker !== 'cert-authority' && speaksOf(entry, address, port));
  return {
    typesOf: (host) => [
      ...new Set(linesOf(host).flatMap(({ marker, keyType }) => (marker === 'none' ? [keyType] : []))),
    ],
    judge(host, key) {
      if (insecure) return { type: 'accepted' };
      const seen = fingerprintOf(key);
      if (host.hostKey !== undefined) return judgePinned(host, seen);
      const lines = linesOf(host);
      const text = Buffer.from(key).toString('base64');
      const same = lines.filter((line) => line.key === text);
      if (same.some(({ marker }) => marker === 'revoked'))
        return { type: 'refused', message: `it shows the key ${seen}, which known_hosts marks as revoked` };
      if (same.length > 0) return { type: 'accepted' };
      const other = lines.find(({ marker }) => marker === 'none');
      if (other !== undefined) return changed(host, seen, other);
      if (record === undefined)
        return {
          type: 'refused',
          message: `its key ${seen} is not known: add it to known_hosts or pin it in the file`,
        };
      known.push(recordKey(record, host, text));
      return { type: 'recorded', fingerprint: seen };
    },
  };
}

/** `SHA256:…` as ssh-keygen prints it. */
export const fingerprintOf = (key: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

type Known = KnownHost & { readonly file: string };

function judgePinned({ hostKey = '' }: SshHost, seen: string): HostKeyVerdict {
  if (hostKey.replace(/=+$/, '') === seen) return { type: 'accepted' };
  return { type: 'refused', message: `it shows the key ${seen}, but ${hostKey} is pinned in the file` };
}

const changed = ({ address, port }: SshHost, seen: string, { key, file }: Known): HostKeyVerdict => ({
  type: 'refused',
  message:
    `its key has changed: ${file} has ${fingerprintOf(Buffer.from(key, 'base64'))}, it shows ${seen}. ` +
    `Either the machine was reinstalled or the connection is intercepted. If you know that the new key is right, ` +
    `remove the old one: ssh-keygen -R '${knownName(address, port)}' -f '${file}'`,
});

function recordKey(record: string, { address, port }: SshHost, key: string): Known {
  const keyType = typeIn(Buffer.from(key, 'base64'));
  const name = knownName(address, port);
  makeFolder(dirname(record));
  appendFileSync(record, `${name} ${keyType} ${key}\n`, { mode: 0o600 });
  return { marker: 'none', names: [name], keyType, key, file: record };
}

/** A key begins with the length and the text of its type. */
const typeIn = (key: Buffer): string => key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1');

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
