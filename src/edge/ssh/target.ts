import type { Secret } from '#edge/secret.ts';

/** In the order in which they are tried. */
export type SshMethod =
  | { readonly type: 'password'; readonly password: Secret }
  | { readonly type: 'privateKey'; readonly key: Secret; readonly passphrase?: Secret }
  | { readonly type: 'agent' };

export type SshLogin = {
  readonly user: string;
  readonly methods: readonly SshMethod[];
  /** Programs run as root: another user needs `sudo` without a password. */
  readonly sudo: boolean;
};

/** A machine that can be logged in to. */
export type SshHost = {
  readonly address: string;
  readonly port: number;
  readonly login: SshLogin;
  /** `SHA256:…` as ssh-keygen prints it; without it known_hosts decides. */
  readonly hostKey?: string;
};

export type SshTarget = SshHost & { readonly jump?: SshHost };

/** Its name in messages. */
export const nameOf = ({ address, port, login }: SshHost): string =>
  `${login.user}@${address}${port === 22 ? '' : `:${port}`}`;
