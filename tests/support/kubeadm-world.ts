import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openClusterWorld, type ClusterWorld } from './cluster-world.ts';
import type { Ended } from './program.ts';
import { root } from './project-files.ts';
import type { TestHost } from './sshd.ts';

const addresses = [11, 12, 13, 14].map((last) => `192.0.2.${last}`);

/** What stands in for kubeadm and its kin: notes every call and leaves the files that they would. */
const standIn = (calls: string, folder: string): string => `#!/bin/sh
set -e
program=$(basename "$0")
echo "$BOATHOOK_NODE $program $*" >> ${calls}
case "$program $1" in
  'kubeadm init')
    [ "$2" = phase ] && exit 0
    mkdir -p /etc/kubernetes/pki
    echo "authority of $BOATHOOK_CLUSTER" > /etc/kubernetes/pki/ca.crt
    echo 'apiVersion: v1' > /etc/kubernetes/admin.conf ;;
  'kubeadm join')
    if [ -e ${folder}/broken ]; then rm ${folder}/broken; echo 'join broke off' >&2; exit 1; fi
    mkdir -p /etc/kubernetes/pki
    sed -n 's/.*certificate-authority-data: //p' discovery.conf | base64 -d > /etc/kubernetes/pki/ca.crt
    echo joined > /etc/kubernetes/kubelet.conf ;;
  'kubeadm reset') rm -rf /etc/kubernetes/pki /etc/kubernetes/*.conf ;;
esac
`;

/** Puts the stand-ins on a machine that has a /usr/local/bin of its own. */
export function putStandIns(host: TestHost, calls: string, folder: string): void {
  for (const program of ['kubeadm', 'kubelet', 'kubectl', 'crictl']) {
    const path = host.path(`/usr/local/bin/${program}`);
    writeFileSync(path, standIn(calls, folder));
    chmodSync(path, 0o755);
  }
}

export type HarbourOptions = {
  readonly id?: string;
  readonly version?: string;
  readonly workers?: readonly string[];
  readonly first?: string;
};

/** A cluster in eggo's form: one master and workers, with a hook before and after each joins. */
const harbourFile = ({
  id = 'harbour',
  version = '1.30.2',
  workers = ['w1'],
  first,
}: HarbourOptions): string =>
  [
    `cluster-id: ${id}`,
    'username: root',
    'password: "pass-word-of-root"',
    `kubernetes-version: ${version}`,
    'masters:',
    `- {name: m1, ip: ${first ?? '192.0.2.11'}}`,
    'workers:',
    ...workers.map((name) => `- {name: ${name}, ip: 192.0.2.${11 + Number(name.slice(1))}}`),
    'addition:',
    '  worker:',
    '  - {name: prejoin.sh, type: shell, schedule: prejoin}',
    '  - {name: precleanup.sh, type: shell, schedule: precleanup}',
    '',
  ].join('\n');

export type KubeadmWorld = ClusterWorld & {
  write(file: string, options?: HarbourOptions): void;
  script(name: string, text: string): void;
  /** What kubeadm, its kin and the hooks were called with since the last time. */
  calls(): readonly string[];
  /** A verb in a pseudo terminal, with what a person types at its question. */
  inTerminal(answer: string, words: string): Promise<Ended>;
  /** A verb with `-f deploy.yaml`, expected to end with this code. */
  ends(code: number, ...args: readonly string[]): Promise<Ended>;
};

/** Four machines with OpenSSH and a stand-in for kubeadm; `deploy.yaml` names m1 and w1. */
export async function openKubeadmWorld(): Promise<KubeadmWorld> {
  const world = await openClusterWorld(
    addresses.map((address) => ({ address, password: 'pass-word-of-root', folders: ['/usr/local/bin'] })),
    'eggo',
  );
  for (const host of world.hosts.values()) putStandIns(host, join(world.folder, 'calls'), world.folder);
  const script = (name: string, text: string): void =>
    writeFileSync(join(world.folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  for (const name of ['prejoin.sh', 'precleanup.sh'])
    script(name, `echo "$BOATHOOK_NODE ${name}" >> ${world.folder}/calls`);
  script('bad.sh', 'exit 7');
  const write: KubeadmWorld['write'] = (file, options = {}) =>
    writeFileSync(join(world.folder, file), harbourFile(options));
  write('deploy.yaml');
  const list = join(world.folder, 'calls');
  return {
    ...world,
    write,
    script,
    calls() {
      const text = existsSync(list) ? readFileSync(list, 'utf8').trimEnd() : '';
      writeFileSync(list, '');
      return text === '' ? [] : text.split('\n');
    },
    inTerminal(answer, words) {
      const typed = join(world.folder, 'typed');
      writeFileSync(typed, '');
      const command = `${root}/boathook cluster ${words} --data-dir ${world.dataDir}`;
      const person = `until grep -q '\\[y/N\\]' typed; do sleep 0.05; done; printf '${answer}\\n'`;
      return world.shell(`(${person}) | script -qefc "${command}" typed`);
    },
    async ends(code, ...args) {
      const named = args.includes('-f') ? args : [...args, '-f', 'deploy.yaml'];
      const ended = await world.cluster(...named);
      expect(ended.code, `${args.join(' ')}\n${ended.out}${ended.error}`).toBe(code);
      return ended;
    },
  };
}
