import ssh2, { type AnyAuthMethod, type ConnectConfig, type ParsedKey } from 'ssh2';
import type { Secret } from '#edge/secret.ts';
import type { SshHost, SshMethod } from './target.ts';

export type LoginConfig =
  | { readonly type: 'ready'; readonly methods: readonly AnyAuthMethod[] }
  | { readonly type: 'unusable'; readonly why: string };

/** The authentication methods in order, in ssh2's form. */
export function loginConfig({ login }: SshHost, agentSocket: string | undefined): LoginConfig {
  const methods: AnyAuthMethod[] = [];
  const faults: string[] = [];
  for (const method of login.methods) {
    const made = methodOf(login.user, method, agentSocket);
    if (typeof made === 'string') faults.push(made);
    else methods.push(...made);
  }
  if (methods.length > 0) return { type: 'ready', methods };
  return { type: 'unusable', why: faults.length > 0 ? faults.join('; ') : 'no password and no key is given' };
}

function methodOf(
  username: string,
  method: SshMethod,
  agentSocket: string | undefined,
): readonly AnyAuthMethod[] | string {
  switch (method.type) {
    case 'password':
      return passwordMethods(username, method.password);
    case 'privateKey': {
      const key = readKey(method.key, method.passphrase);
      return typeof key === 'string' ? key : [{ type: 'publickey', username, key }];
    }
    case 'agent':
      return agentSocket === undefined
        ? 'there is no SSH agent (SSH_AUTH_SOCK is not set)'
        : [{ type: 'agent', username, agent: agentSocket }];
  }
}

/** keyboard-interactive: only a single hidden prompt is answered, with the password. */
function passwordMethods(username: string, password: Secret): readonly AnyAuthMethod[] {
  return [
    { type: 'password', username, password: password.reveal() },
    {
      type: 'keyboard-interactive',
      username,
      prompt: (...[, , , prompts, finish]) => {
        finish(prompts.length === 1 && prompts[0]?.echo === false ? [password.reveal()] : []);
      },
    },
  ];
}

function readKey(key: Secret, passphrase: Secret | undefined): ParsedKey | string {
  const parsed = ssh2.utils.parseKey(key.reveal(), passphrase?.reveal());
  if (!(parsed instanceof Error)) return Array.isArray(parsed) ? (parsed[0] as ParsedKey) : parsed;
  if (/no passphrase/i.test(parsed.message)) return 'the private key is encrypted and no passphrase is given';
  return /passphrase|integrity|decrypt/i.test(parsed.message)
    ? 'the passphrase does not open the private key'
    : 'the private key is not one that can be read';
}

/** curve25519 first: its handshake costs a tenth of the post-quantum one. */
export const fastAlgorithms: NonNullable<ConnectConfig['algorithms']> = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group-exchange-sha256',
  ],
};
