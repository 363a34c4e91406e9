import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Something the tests use that npm does not bring. */
export type Need = {
  readonly name: string;
  /** Any of these programs on the path will do. */
  readonly programs: readonly string[];
  /** The Debian package that brings it. */
  readonly debian: string;
};

export const needs: readonly Need[] = [
  { name: 'kubectl', programs: ['kubectl'], debian: 'kubernetes-client' },
  { name: 'git', programs: ['git'], debian: 'git' },
  { name: 'setpriv', programs: ['setpriv'], debian: 'util-linux' },
  { name: 'sshd', programs: ['sshd'], debian: 'openssh-server' },
  { name: 'ssh', programs: ['ssh'], debian: 'openssh-client' },
  { name: 'sudo', programs: ['sudo'], debian: 'sudo' },
  { name: 'ip', programs: ['ip'], debian: 'iproute2' },
  { name: 'pgrep', programs: ['pgrep'], debian: 'procps' },
  { name: 'bash', programs: ['bash'], debian: 'bash' },
  { name: 'script', programs: ['script'], debian: 'bsdutils' },
  { name: 'diff', programs: ['diff'], debian: 'diffutils' },
  { name: 'curl', programs: ['curl'], debian: 'curl' },
  { name: 'promtool', programs: ['promtool'], debian: 'prometheus' },
  { name: 'prometheus', programs: ['prometheus'], debian: 'prometheus' },
  { name: 'chromium', programs: ['chromium'], debian: 'chromium' },
  { name: 'buildah', programs: ['buildah'], debian: 'buildah' },
  { name: 'debootstrap', programs: ['debootstrap'], debian: 'debootstrap' },
];

/** Directories in which Debian puts daemons, and which the path of a plain user often lacks. */
const daemonFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

export function missing(wanted: readonly Need[], path: string): readonly Need[] {
  const folders = [...path.split(delimiter), ...daemonFolders].filter((folder) => folder !== '');
  return wanted.filter(({ programs }) => !programs.some((program) => isOnPath(program, folders)));
}

/** The machine as far as it matters here. */
export type System = { readonly path: string; readonly isRoot: boolean };
export const thisSystem = (): System => ({
  path: process.env['PATH'] ?? '',
  isRoot: process.getuid?.() === 0,
});

export type Provided = { readonly type: 'ready' } | { readonly type: 'refused'; readonly why: string };

/** Installs with apt what is missing when this user may; otherwise says what to install. */
export function provide(wanted: readonly Need[], system: System): Provided {
  const absent = missing(wanted, system.path);
  if (absent.length === 0) return { type: 'ready' };
  const packages = packagesOf(absent);
  if (!system.isRoot || missing([apt], system.path).length > 0)
    return { type: 'refused', why: advice(absent) };
  console.log(`Installing ${packages.join(' ')} for ${absent.map((need) => need.name).join(', ')}`);
  aptGet(['update'], system);
  aptGet(['install', '-y', '--no-install-recommends', ...packages], system);
  const stillAbsent = missing(wanted, system.path);
  return stillAbsent.length === 0 ? { type: 'ready' } : { type: 'refused', why: advice(stillAbsent) };
}

const apt: Need = { name: 'apt-get', programs: ['apt-get'], debian: 'apt' };

const packagesOf = (absent: readonly Need[]): readonly string[] => [
  ...new Set(absent.map((need) => need.debian)),
];

function advice(absent: readonly Need[]): string {
  const names = absent.map((need) => need.name).join(', ');
  return `The tests need ${names}. Install the Debian packages: apt-get install -y ${packagesOf(absent).join(' ')}`;
}

function aptGet(args: readonly string[], { path }: System): void {
  spawnSync('apt-get', args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: path, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function isOnPath(program: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
