import type { StepName } from '#machines/decide/install-outline.ts';
import { identityFunctions, unchangedExits } from './identity-script.ts';

const head = `#!/bin/sh
set -eu
kube=$BOATHOOK_CONFIG_DIR
admin="$kube/admin.conf"
`;

/** kubeadm 1.14 takes the key as a flag only; later ones find it in their configuration. */
const certificateKeyFlag = `if [ -e certificate-key ]; then set -- "$@" --certificate-key "$(cat certificate-key)"; fi
`;

/** kubeadm 1.14 joins no master with \`--config\`: it needs flags. */
const joinFlags = `if [ -e bootstrap-token ]; then
  ${certificateKeyFlag}  set -- "$@" --tls-bootstrap-token "$(cat bootstrap-token)"
else
  set -- --config join.yaml
fi
`;

const join = `${head}${identityFunctions}id=$(digest ca.crt)
refuse_foreign
if [ "$owner" = "$BOATHOOK_CLUSTER" ] && [ ! -e "$joining" ]; then
  known=$(value id "$identity")
  if [ -n "$known" ] && [ "$known" != "$id" ] && [ "$here" != "$id" ]; then
    echo "this machine belongs to another cluster of the name $BOATHOOK_CLUSTER (CA $known, not $id)" >&2
    exit ${unchangedExits.refused}
  fi
  echo 'this node has joined already'
  [ "$(value operation "$identity")" != "$BOATHOOK_RUN_ID" ] || exit 0
  write_identity "$(value operation "$identity")" "$id" ''
  exit ${unchangedExits.done}
fi
if [ "$here" = "$id" ] && [ -e /etc/kubernetes/kubelet.conf ] && [ ! -e "$joining" ]; then
  echo 'this node is a member already'
  write_identity "$(value operation "$identity")" "$id" ''
  exit ${unchangedExits.done}
fi
if [ -n "$here" ] && [ "$here" != "$id" ] && [ ! -e "$joining" ]; then
  echo "this machine is a member of another cluster (CA $here): remove it there first" >&2
  exit ${unchangedExits.refused}
fi
if [ -e "$joining" ]; then
  echo 'an earlier join broke off: starting afresh'
  kubeadm reset --force
fi
begin_joining
${joinFlags}kubeadm join "$@"
write_identity "$BOATHOOK_RUN_ID" "$id" ''
rm -f "$joining" "$joined"
`;

/** The line by which a reset reports that it found nothing to do. */
export const nothingToReset = 'nothing is installed here: there is nothing to reset';

/** Without kubeadm nothing can be reset: an error unless the machine has nothing of a cluster. */
const unlessNothing = `if ! command -v kubeadm > /dev/null; then
  for path in "$kube"/* "$kube"/*/* /var/lib/kubelet/kubeadm-flags.env /var/lib/etcd/member/*; do
    if [ "$path" != "$identity" ] && [ -e "$path" ] && { [ ! -d "$path" ] || [ "\${path#/var/lib/etcd/}" != "$path" ]; }; then
      echo "kubeadm is not installed, but $path is there: install kubeadm, or remove what is left by hand" >&2
      exit 1
    fi
  done
  rm -f "$identity" "$joining" "$joined"
  echo '${nothingToReset}'
  exit 0
fi
`;

/**
 * One script per step. All may be run again: what is done already is left alone. They run in the job's own folder,
 * where their configuration lies; the first argument of those about a node is its name, others are flags of its version.
 */
export const kubeadmScripts: Readonly<Record<StepName, string>> = {
  identify: `${head}${identityFunctions}refuse_foreign
exit ${unchangedExits.done}
`,
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
  init: `${head}${identityFunctions}refuse_foreign
if [ -e "$admin" ] && kubectl --kubeconfig "$admin" get --raw /readyz > /dev/null 2>&1; then
  echo 'the control plane runs already'
  [ "$(value operation "$identity")" != "$BOATHOOK_RUN_ID" ] || exit 0
  renew_identity "$(value unfinished "$identity")"
  exit ${unchangedExits.done}
fi
begin_joining
${certificateKeyFlag}kubeadm init --config init.yaml "$@" --skip-token-print --skip-certificate-key-print
write_identity "$BOATHOOK_RUN_ID" "$(digest "$authority")" "$BOATHOOK_RUN_ID"
rm -f "$joining"
`,
  invite: `${head}${identityFunctions}refuse_foreign
kubeadm init phase bootstrap-token --config init.yaml
${certificateKeyFlag}kubeadm init phase upload-certs "$@" --config init.yaml > /dev/null
renew_identity "$(value unfinished "$identity")"
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
  // The last step of a creation: until then a deployment is begun and not complete.
  complete: `${head}${identityFunctions}refuse_foreign
renew_identity ''
`,
  'plan-upgrade': `${head}kubeadm upgrade plan "$1"
`,
  drain: `${head}kubectl --kubeconfig "$admin" get node "$1" > /dev/null 2>&1 || {
  echo "the cluster knows no node $1"
  exit 0
}
kubectl --kubeconfig "$admin" drain "$1" --ignore-daemonsets "$2" --timeout 10m
`,
  'upgrade-first': `${head}${identityFunctions}refuse_foreign
kubeadm upgrade apply --yes "$1"
if [ -d /run/systemd/system ]; then systemctl daemon-reload; systemctl restart kubelet; fi
renew_identity "$(value unfinished "$identity")"
`,
  upgrade: `${head}${identityFunctions}refuse_foreign
kubeadm upgrade node "$@"
if [ -d /run/systemd/system ]; then systemctl daemon-reload; systemctl restart kubelet; fi
renew_identity "$(value unfinished "$identity")"
`,
  uncordon: `${head}kubectl --kubeconfig "$admin" uncordon "$1"
`,
  // Its argument, in a rollback, is the operation that is taken back: what another one made is left alone.
  reset: `${head}${identityFunctions}refuse_foreign
if [ -n "\${1-}" ]; then
  made=$(value operation "$identity")
  [ ! -f "$joining" ] || made=$(value operation "$joining")
  if [ "$made" != "$1" ]; then
    echo "left alone: operation $1 made nothing here"
    exit ${unchangedExits.done}
  fi
fi
${unlessNothing}kubeadm reset --force
rm -f "$identity" "$joining" "$joined"
`,
  forget: `${head}kubectl --kubeconfig "$admin" delete node "$1" --ignore-not-found
`,
};

/** Applies Boathook's CRDs to the new cluster, with kubectl on the operator's machine. */
export const platformScript = `#!/bin/sh
set -eu
kubectl --kubeconfig kubeconfig apply --server-side -f "$1"
`;
