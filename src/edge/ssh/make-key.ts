import ssh2 from 'ssh2';
import { fingerprintOf } from './host-keys.ts';

/** A key pair of OpenSSH. The private half is a secret. */
export type SshKeyPair = { readonly privateKey: string; readonly publicKey: string };

export function makeSshKey(comment: string): SshKeyPair {
  for (;;) {
    const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ed25519', { comment });
    // ssh2 1.17 drops the zeros that a public key begins with: one key in 256 is not one.
    if (!(ssh2.utils.parseKey(privateKey) instanceof Error)) return { privateKey, publicKey };
  }
}

/** `SHA256:…` of the line that a public key is. */
export const fingerprintOfLine = (publicKey: string): string =>
  fingerprintOf(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'));
