import type { ClusterNode, NodeLogin, SecretRef } from '#machines/decide/model.ts';
import type { Secret } from '#edge/secret.ts';
import type { SshLogin, SshTarget } from '#edge/ssh/target.ts';

type Look = (ref: SecretRef) => Promise<Secret>;

/** How to log in to a node, with its secrets looked up. */
export async function targetOf(
  { address, port, login, hostKey, jump }: ClusterNode,
  look: Look,
): Promise<SshTarget> {
  const own = { address, port, login: await loginOf(login, look), ...(hostKey !== undefined && { hostKey }) };
  if (jump === undefined) return own;
  const { login: jumpLogin, ...rest } = jump;
  // Nothing runs on a jump host.
  return { ...own, jump: { ...rest, login: { ...(await loginOf(jumpLogin, look)), sudo: false } } };
}

async function loginOf({ user, sudo, methods }: NodeLogin, look: Look): Promise<SshLogin> {
  const found: SshLogin['methods'][number][] = [];
  for (const method of methods) {
    if (method.type === 'agent') found.push(method);
    else if (method.type === 'password')
      found.push({ type: 'password', password: await look(method.password) });
    else {
      const passphrase = method.passphrase === undefined ? undefined : await look(method.passphrase);
      found.push({
        type: 'privateKey',
        key: await look(method.key),
        ...(passphrase !== undefined && { passphrase }),
      });
    }
  }
  return { user, sudo, methods: found };
}
