import type { UnchangedExits } from '#machines/decide/plan.ts';

/** No program that our scripts call ends with one of these. */
export const unchangedExits: UnchangedExits = { done: 93, refused: 94 };

/** The file that names the cluster of a machine; kubeadm always uses this folder. */
const identityFile = '/etc/kubernetes/boathook-identity';

/**
 * For scripts with the attachments `identity`, `accepted` and `known-ca.crt`. The identity is written when the machine
 * has become a member, and names the operation that did it: so a rollback takes back nothing else.
 */
export const identityFunctions = `identity=${identityFile}
authority=/etc/kubernetes/pki/ca.crt
# Left by an init or join that was begun: for which cluster, and by which operation.
joining="$kube/.boathook-joining"
# What earlier versions left of a join that ended: the name of the cluster.
joined="$kube/.boathook-joined"
value() { [ ! -f "$2" ] || sed -n "s/^$1=//p" "$2" | head -n 1; }
digest() { [ ! -s "$1" ] || printf 'sha256:%s' "$(sha256sum < "$1" | cut -d ' ' -f 1)"; }
here=$(digest "$authority")
owner=''
# After a reset by hand the identity is still there, and nothing else.
if [ -n "$here" ] || [ -e /etc/kubernetes/kubelet.conf ] || [ -e /etc/kubernetes/admin.conf ]; then
  owner=$(value cluster "$identity")
  [ -n "$owner" ] || [ ! -f "$joined" ] || owner=$(cat "$joined")
  [ -n "$owner" ] || owner=$(value cluster "$joining")
fi
is_accepted() {
  ! grep -qxF '*' accepted || return 0
  [ -n "$here" ] || return 1
  ! grep -qxF "adopt:$here" accepted || return 0
  [ -z "$owner" ] || return 1
  grep -qxF "$here" accepted || [ "$here" = "$(digest known-ca.crt)" ]
}
# Ends the script where the machine belongs to another cluster; nothing has been changed by then.
refuse_foreign() {
  [ "$owner" != "$BOATHOOK_CLUSTER" ] || return 0
  [ -n "$owner" ] || [ -n "$here" ] || [ -e /etc/kubernetes/kubelet.conf ] || return 0
  ! is_accepted || return 0
  echo "this machine belongs to the cluster \\"\${owner:-of unknown name}\\" (version $(value version "$identity"), CA $here), not to \\"$BOATHOOK_CLUSTER\\": nothing was changed. Take it over with --adopt (spec.adopt of a Cluster), or remove that cluster from it first" >&2
  exit ${unchangedExits.refused}
}
begin_joining() {
  mkdir -p "$kube"
  printf 'cluster=%s\\noperation=%s\\n' "$BOATHOOK_CLUSTER" "$BOATHOOK_RUN_ID" > "$joining"
}
# Arguments: the operation that made it a member, its CA, and the operation that has yet to complete the cluster.
write_identity() {
  mkdir -p "\${identity%/*}"
  {
    cat identity
    printf 'operation=%s\\nid=%s\\n' "$1" "$2"
    [ -z "$3" ] || printf 'unfinished=%s\\n' "$3"
  } > "$identity.new"
  chmod 644 "$identity.new"
  mv -f "$identity.new" "$identity"
}
# The same machine in the same cluster, with another version or name.
renew_identity() {
  write_identity "$(value operation "$identity")" "\${here:-$(value id "$identity")}" "$1"
}
`;

/** Prints the identity of a machine and changes nothing. Its argument is the folder of the configuration. */
export const surveyProgram = `kube=$1
identity=${identityFile}
[ ! -f "$identity" ] || head -c 4096 "$identity" | sed 's/^/identity./'
ca=/etc/kubernetes/pki/ca.crt
[ ! -f "$ca" ] || printf 'ca=sha256:%s\\n' "$(sha256sum < "$ca" | cut -d ' ' -f 1)"
[ ! -f "$kube/.boathook-joined" ] || printf 'joined=%s\\n' "$(head -c 300 "$kube/.boathook-joined")"
mark=$kube/.boathook-joining
[ ! -f "$mark" ] || { echo joining=yes; head -c 300 "$mark" | sed 's/^/joining./'; }
[ ! -e /etc/kubernetes/admin.conf ] || echo control-plane=yes
[ ! -e /etc/kubernetes/kubelet.conf ] || echo kubelet=yes
exit 0
`;
