import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { TestHost } from './sshd.ts';

/**
 * What stands in for kubeadm and its kin: notes every call, and leaves the files that they would. `refuse`: calls that
 * fail as long as that file has a line which is the beginning of `NODE PROGRAM ARGUMENTS…`.
 */
export const kubeadmStandIn = (notes: string, strict = ''): string => `#!/bin/sh
set -e
program=$(basename "$0")
call="$BOATHOOK_NODE $program $*"
echo "$call" >> ${notes}
if [ -e ${notes}.refuse ]; then
  while read -r line; do
    case $call in "$line"*) echo "$program: no space left for $1" >&2; exit 9 ;; esac
  done < ${notes}.refuse
fi
${strict}
case "$program $1" in
  'kubeadm init')
    [ "$2" = phase ] && exit 0
    mkdir -p /etc/kubernetes/pki
    echo "authority of $BOATHOOK_CLUSTER" > /etc/kubernetes/pki/ca.crt
    echo "# admin of $BOATHOOK_CLUSTER" > /etc/kubernetes/admin.conf ;;
  'kubeadm join') echo joined > /etc/kubernetes/kubelet.conf ;;
  'kubeadm reset') rm -rf /etc/kubernetes/pki /etc/kubernetes/*.conf ;;
esac
`;

/** As kubeadm 1.14 does: flags of later ones are unknown, and masters join without a configuration file. */
export const kubeadm114 = `[ "$program" = kubeadm ] && for word; do
  case "$word" in
    --upload-certs | --control-plane) echo "unknown flag: $word" >&2; exit 1 ;;
    --experimental-control-plane)
      case " $* " in *' --config '*) echo "can not mix '--config' with arguments [$word]" >&2; exit 1 ;; esac ;;
  esac
done
case "$program $1 $2" in
  'kubeadm upgrade node')
    case $3 in config | experimental-control-plane) ;; *) echo 'a subcommand is required' >&2; exit 1 ;; esac ;;
  'kubectl --kubeconfig '*)
    case " $* " in *' --delete-emptydir-data '*) echo 'unknown flag: --delete-emptydir-data' >&2; exit 1 ;; esac ;;
esac`;

/** Puts it on a machine that has a folder /usr/local/bin of its own. */
export function installStandIn(
  host: Pick<TestHost, 'path'>,
  text: string,
  programs: readonly string[] = ['kubeadm', 'kubelet', 'kubectl', 'crictl'],
): void {
  for (const program of programs) {
    const path = host.path(`/usr/local/bin/${program}`);
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  }
}

/** Lines of a file of notes since the last call. */
export function newsIn(notes: string): readonly string[] {
  const text = existsSync(notes) ? readFileSync(notes, 'utf8') : '';
  writeFileSync(notes, '');
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
