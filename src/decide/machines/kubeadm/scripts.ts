import type { StepName } from '#decide/machines/install-outline.ts';

const head = `#!/bin/sh
set -eu
kube=$BOATHOOK_CONFIG_DIR
admin="$kube/admin.conf"
`;

/** Marks of ours beside kubeadm's files: a join that broke off is told from one of another cluster. */
const marks = `joining="$kube/.boathook-joining"
joined="$kube/.boathook-joined"
`;

const join = `${head}${marks}if [ -e "$joined" ] && [ "$(cat "$joined")" = "$BOATHOOK_CLUSTER" ]; then
  echo 'this node has joined already'
  exit 0
fi
mkdir -p "$kube"
if [ -e "$joining" ]; then
  echo 'an earlier join broke off: starting afresh'
  kubeadm reset --force
  mkdir -p "$kube"
fi
: > "$joining"
kubeadm join --config join.yaml
printf %s "$BOATHOOK_CLUSTER" > "$joined"
rm -f "$joining"
`;

/**
 * One script per step. All may be run again: what is done already is left alone. They run in the job's own folder,
 * where their configuration lies; the argument, where there is one, is the name of the node in question.
 */
export const kubeadmScripts: Readonly<Record<StepName, string>> = {
  check: `${head}for program in kubeadm kubelet; do
  command -v "$program" > /dev/null || {
    echo "$program is not installed: install it, or let a pre hook do so" >&2
    exit 1
  }
done
if command -v crictl > /dev/null; then
  crictl \${1:+--runtime-endpoint "$1"} version || {
    echo 'the container runtime does not answer' >&2
    exit 1
  }
else
  for socket in "\${1#unix://}" /run/containerd/containerd.sock /run/crio/crio.sock /run/cri-dockerd.sock; do
    [ -S "$socket" ] && exit 0
  done
  echo 'no container runtime found: neither crictl nor a known socket' >&2
  exit 1
fi
`,
  init: `${head}if [ -e "$admin" ] && kubectl --kubeconfig "$admin" get --raw /readyz > /dev/null 2>&1; then
  echo 'the control plane runs already'
  exit 0
fi
kubeadm init --config init.yaml --upload-certs --skip-token-print
`,
  invite: `${head}kubeadm init phase bootstrap-token --config init.yaml
kubeadm init phase upload-certs --upload-certs --config init.yaml > /dev/null
`,
  'join-master': join,
  'join-worker': join,
  // Of its arguments after the node those with a colon are taints: labels have none.
  mark: `${head}node=$1
shift
for mark; do
  case $mark in
    *:*) kubectl --kubeconfig "$admin" taint node "$node" "$mark" --overwrite ;;
    *) kubectl --kubeconfig "$admin" label node "$node" "$mark" --overwrite ;;
  esac
done
`,
  'plan-upgrade': `${head}kubeadm upgrade plan "$1"
`,
  drain: `${head}kubectl --kubeconfig "$admin" get node "$1" > /dev/null 2>&1 || {
  echo "the cluster knows no node $1"
  exit 0
}
kubectl --kubeconfig "$admin" drain "$1" --ignore-daemonsets --delete-emptydir-data --timeout 10m
`,
  'upgrade-first': `${head}kubeadm upgrade apply --yes "$1"
if [ -d /run/systemd/system ]; then systemctl daemon-reload; systemctl restart kubelet; fi
`,
  upgrade: `${head}kubeadm upgrade node
if [ -d /run/systemd/system ]; then systemctl daemon-reload; systemctl restart kubelet; fi
`,
  uncordon: `${head}kubectl --kubeconfig "$admin" uncordon "$1"
`,
  reset: `${head}${marks}kubeadm reset --force
rm -f "$joining" "$joined"
`,
  forget: `${head}kubectl --kubeconfig "$admin" delete node "$1" --ignore-not-found
`,
};

/** Boathook's kinds on the new cluster, by the operator's own kubectl. */
export const platformScript = `#!/bin/sh
set -eu
kubectl --kubeconfig kubeconfig apply --server-side -f "$1"
`;
