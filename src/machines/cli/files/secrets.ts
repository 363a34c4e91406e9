import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretRef } from '#machines/decide/model.ts';
import { Secret } from '#edge/secret.ts';
import { writeFileAtomically } from '#edge/write-file.ts';
import { atPointer } from './read-documents.ts';

/** Reads secrets from their source. Generated secrets stay the same during an operation. */
export function openSecrets(folder: string, operation: string): (ref: SecretRef) => Promise<Secret> {
  return async (ref) => {
    switch (ref.type) {
      case 'document': {
        const value = atPointer(ref.file, ref.pointer);
        const text = typeof value === 'string' ? value : '';
        return new Secret(ref.encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text);
      }
      case 'file':
        return new Secret(await readFile(ref.path, 'utf8'));
      case 'derived': {
        const digest = createHmac('sha256', ownKey(folder)).update(`${operation}\n${ref.name}`).digest('hex');
        return new Secret(shapes[ref.shape](digest));
      }
    }
  };
}

const shapes: Readonly<Record<Extract<SecretRef, { type: 'derived' }>['shape'], (hex: string) => string>> = {
  'bootstrap-token': (hex) => `${hex.slice(0, 6)}.${hex.slice(6, 22)}`,
  'certificate-key': (hex) => hex,
};

/** One per cluster, readable by its owner only. */
function ownKey(folder: string): Buffer {
  const path = join(folder, 'key');
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileAtomically(path, randomBytes(32).toString('hex'), 0o600);
  }
  return Buffer.from(readFileSync(path, 'utf8'), 'hex');
}
