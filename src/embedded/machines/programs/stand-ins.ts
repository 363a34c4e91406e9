import { seconds } from '#base/time.ts';
import type { ProgramCall, ShellProgram } from '#embedded/machines/shell/shell-state.ts';

/** How long a stand-in takes, by the beginning of its call. */
const spans: readonly (readonly [string, number])[] = [
  ['kubeadm init phase', 0.2],
  ['kubeadm init', 2],
  ['kubeadm join', 1],
  ['kubeadm upgrade', 1],
  ['kubeadm reset', 0.5],
];

const secretFlag = /^--?[a-z-]*(?:key|token|password)$/;

/** Prints what is called and takes its time; nothing is done. */
async function announce({ words, io, machine }: ProgramCall): Promise<void> {
  const call = words.map((word, at) => (secretFlag.test(words[at - 1] ?? '') ? '***' : word)).join(' ');
  io.err(`[simulated: ${call}]\n`);
  const [, span = 0.1] = spans.find(([start]) => call.startsWith(start)) ?? [];
  await machine.sleep(machine.programSpan?.(call) ?? seconds(span));
}

/** Leaves the files that later steps of the installation look for. */
const kubeadm: ShellProgram = async (call) => {
  const { words, state, machine } = call;
  const { files } = machine;
  await announce(call);
  const [, verb, what] = words;
  const cluster = state.variables.get('BOATHOOK_CLUSTER') ?? 'unnamed';
  const write = (path: string, text: string): void => files.put(path, new TextEncoder().encode(text), 0o600);
  if (verb === 'init' && what !== 'phase') {
    write('/etc/kubernetes/pki/ca.crt', `simulated authority of ${cluster}\n`);
    write('/etc/kubernetes/admin.conf', `# simulated: there is no API server behind ${cluster}\n`);
    write('/etc/kubernetes/kubelet.conf', '# simulated\n');
  }
  if (verb === 'join') {
    const authority = files.read('ca.crt', state.folder);
    if (authority !== undefined) write('/etc/kubernetes/pki/ca.crt', authority);
    const isMaster =
      words.includes('--experimental-control-plane') ||
      files.read('join.yaml', state.folder)?.includes('controlPlane:') === true;
    if (isMaster) write('/etc/kubernetes/admin.conf', `# simulated: ${cluster}\n`);
    write('/etc/kubernetes/kubelet.conf', '# simulated\n');
  }
  if (verb === 'reset')
    for (const name of ['pki', 'admin.conf', 'kubelet.conf']) files.remove(`/etc/kubernetes/${name}`);
  return 0;
};

const kubectl: ShellProgram = async (call) => {
  await announce(call);
  const hasCluster = call.machine.files.entry('/etc/kubernetes/admin.conf') !== undefined;
  return hasCluster || call.words.includes('version') ? 0 : 1;
};

const succeed: ShellProgram = async (call) => {
  await announce(call);
  return 0;
};

/** Programs that an installation calls, and that a script may look for with `command -v`. */
const names = [
  'kubelet',
  'crictl',
  'containerd',
  'ctr',
  'systemctl',
  'apt-get',
  'dpkg',
  'modprobe',
  'sysctl',
  'swapoff',
];

export const standIns: ReadonlyMap<string, ShellProgram> = new Map<string, ShellProgram>([
  ['kubeadm', kubeadm],
  ['kubectl', kubectl],
  ...names.map((name) => [name, succeed] as const),
]);

/** Any other program: it is named in the output and counts as successful. */
export const otherProgram: ShellProgram = succeed;
