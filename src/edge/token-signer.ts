import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '#base/json.ts';
import type { TokenSigner } from '#kube/token-signer.ts';
import { writeFileAtomically } from './write-file.ts';
import { makeFolder } from './make-folder.ts';

/** The signer of a data directory: its key is made at the first start and kept for its owner's eyes only. */
export function ensureTokenSigner(dataDir: string): TokenSigner {
  const folder = join(dataDir, 'pki');
  makeFolder(folder);
  const file = join(folder, 'service-account.key');
  const kept = readKey(file);
  if (kept !== undefined) return tokenSigner(kept);
  const made = newKey();
  writeFileAtomically(file, made.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  return tokenSigner(made);
}

/** A signer with a key in memory: its tokens are invalid once the process has ended. */
export const passingTokenSigner = (): TokenSigner => tokenSigner(newKey());

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** The kept key; undefined when there is none, or what is there is no such key. */
function readKey(file: string): KeyObject | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const key = createPrivateKey(text);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** ES256 (RFC 7518): the two numbers of the signature side by side. */
function tokenSigner(key: KeyObject): TokenSigner {
  const publicKey = createPublicKey(key);
  const id = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' }));
  const header = encode({ alg: 'ES256', kid: id.digest('base64url') });
  const dsaEncoding = 'ieee-p1363';
  return {
    sign(claims) {
      const signed = `${header}.${encode(claims)}`;
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding });
      return `${signed}.${signature.toString('base64url')}`;
    },
    verify(token) {
      const [head = '', claims = '', signature = '', ...more] = token.split('.');
      // Only tokens with exactly our header: no other algorithm is ever tried.
      if (head !== header || more.length > 0) return undefined;
      const bytes = Buffer.from(signature, 'base64url');
      if (bytes.toString('base64url') !== signature) return undefined;
      const isOurs = verify(
        'sha256',
        Buffer.from(`${head}.${claims}`),
        { key: publicKey, dsaEncoding },
        bytes,
      );
      return isOurs ? decode(claims) : undefined;
    },
  };
}

const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode(text: string): JsonObject | undefined {
  const value = JSON.parse(Buffer.from(text, 'base64url').toString()) as Json;
  return isObject(value) ? value : undefined;
}
