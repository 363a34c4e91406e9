import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A user of a test host. The machine's own accounts are not touched: the host has its own files for them. */
export type Account = {
  readonly name: string;
  readonly password?: string;
  /** `/bin/sh` unless given. */
  readonly shell?: string;
  /** `sudo` without a password. */
  readonly sudo?: boolean;
};

export type AccountFile = { readonly from: string; readonly onto: string };

/** Writes passwd, shadow, hosts and sudoers for a host, and says where they are to be mounted. */
export function writeAccounts(
  folder: string,
  hostname: string,
  accounts: readonly Account[],
): readonly AccountFile[] {
  const root: Account = accounts.find(({ name }) => name === 'root') ?? { name: 'root' };
  const others = accounts.filter(({ name }) => name !== 'root');
  const passwd = readFileSync('/etc/passwd', 'utf8').replace(
    /^root:.*$/m,
    `root:x:0:0:root:/root:${root.shell ?? '/bin/sh'}`,
  );
  const users = others.map(
    ({ name, shell = '/bin/sh' }, at) =>
      `${name}:x:${23_000 + at}:${23_000 + at}::${homeOf(name)}:${shell}\n`,
  );
  const shadow = readFileSync('/etc/shadow', 'utf8').replace(/^root:.*\n/m, '');
  const lines = [root, ...others].map((each) => `${each.name}:${hashOf(each)}:19000:0:99999:7:::\n`);
  const sudoers = others
    .filter(({ sudo }) => sudo === true)
    .map(({ name }) => `${name} ALL=(ALL) NOPASSWD: ALL\n`);
  const files = [
    { name: 'passwd', text: passwd + users.join(''), mode: 0o644 },
    { name: 'shadow', text: lines.join('') + shadow, mode: 0o640 },
    { name: 'hosts', text: `127.0.0.1 localhost ${hostname}\n`, mode: 0o644 },
    { name: 'sudoers', text: `Defaults env_reset\nroot ALL=(ALL) ALL\n${sudoers.join('')}`, mode: 0o440 },
  ];
  for (const { name, text, mode } of files) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  }
  return files.map(({ name }) => ({ from: join(folder, name), onto: `/etc/${name}` }));
}

/** `*`: no password fits, and keys do; a locked account would refuse those too. */
function hashOf({ password }: Account): string {
  if (password === undefined) return '*';
  const program = 'print crypt($ARGV[0], q{$6$boathooktest$})';
  return execFileSync('perl', ['-e', program, password], { encoding: 'utf8' });
}

/** Keys that all accounts of a host accept. */
export function writeAuthorizedKeys(folder: string, publicKeys: readonly string[]): string {
  const path = join(folder, 'authorized_keys');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, publicKeys.join(''));
  chmodSync(path, 0o644);
  return path;
}

/** A key pair; with a passphrase when one is given. */
export function makeKey(path: string, passphrase = ''): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'test', '-f', path]);
}

/** Where an ordinary user of a host lives. */
export const homeOf = (name: string): string => ['', 'home', name].join('/');
