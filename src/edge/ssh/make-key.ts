import ssh2 from 'ssh2';
import { fingerprintOf } from './host-keys.ts';

/** A key pair of OpenSSH. The private half is a secret. */
export type SshKeyPair = { readonly privateKey: string; readonly publicKey: string };

export function makeSshKey(comment: string): SshKeyPair {
  const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ed25519', { comment });
  return { privateKey, publicKey };
}

/** `SHA256:…` of the line that a public key is. */
export const fingerprintOfLine = (publicKey: string): string =>
  fingerprintOf(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'));
