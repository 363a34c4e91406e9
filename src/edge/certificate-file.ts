import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minutes, type Millis } from '#base/time.ts';
import { writeFileAtomically } from './write-file.ts';

/** A certificate and its private key, in PEM. */
export type KeyPair = { readonly certificate: string; readonly key: string };

export const days = (count: number): Millis => minutes(count * 24 * 60);

/** The stored pair, or undefined when either half is missing. */
export function readPair(folder: string, name: string): KeyPair | undefined {
  const certificate = readIfThere(join(folder, `${name}.crt`));
  const key = readIfThere(join(folder, `${name}.key`));
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

/** A crash between the two files leaves a pair that does not match; the next start makes a new one. */
export function storePair(folder: string, name: string, pair: KeyPair): void {
  writeFileAtomically(join(folder, `${name}.key`), pair.key, 0o600);
  writeFileAtomically(join(folder, `${name}.crt`), pair.certificate, 0o644);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
