import { missing, thisSystem, type Need } from '../../../scripts/system-needs.ts';

const needed: readonly Need[] = [
  { name: 'sshd', programs: ['sshd'], debian: 'openssh-server' },
  { name: 'ssh-keygen', programs: ['ssh-keygen'], debian: 'openssh-client' },
  { name: 'unshare and nsenter', programs: ['unshare'], debian: 'util-linux' },
  // Every host has a sudoers of its own, which takes the place of the machine's.
  { name: 'sudo', programs: ['sudo'], debian: 'sudo' },
  { name: 'perl', programs: ['perl'], debian: 'perl-base' },
];

/** Real servers with accounts, mounts and processes of their own need root; nothing is pretended without. */
export function demandSshd(more: readonly Need[] = []): void {
  const { path, isRoot } = thisSystem();
  const absent = missing([...needed, ...more], path);
  if (absent.length > 0)
    throw new Error(
      `These tests need ${absent.map(({ name }) => name).join(', ')}: apt-get install -y ` +
        absent.map(({ debian }) => debian).join(' '),
    );
  if (!isRoot)
    throw new Error(
      'These tests need root: they start OpenSSH servers in mount, process and network namespaces of their own.',
    );
}

export const ipNeed: Need = { name: 'ip', programs: ['ip'], debian: 'iproute2' };
