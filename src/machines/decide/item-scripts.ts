import type { ItemType } from './model.ts';

const head = `#!/bin/sh
set -eu
has() { command -v "$1" > /dev/null 2>&1; }
`;

/** Scripts that install their arguments. Each may be run again. No argument becomes part of a command. */
export const itemScripts: Readonly<Record<Extract<ItemType, 'repo' | 'pkg' | 'image' | 'yaml'>, string>> = {
  repo: `${head}export DEBIAN_FRONTEND=noninteractive
if has apt-get; then exec apt-get -o DPkg::Lock::Timeout=300 install -y -- "$@"
elif has dnf; then exec dnf install -y -- "$@"
elif has yum; then exec yum install -y -- "$@"
elif has zypper; then exec zypper --non-interactive install -- "$@"
fi
echo "no package manager to install $* with: neither apt-get, dnf, yum nor zypper" >&2
exit 1
`,
  // Without dependency checks, as in eggo: the package contains its dependencies.
  pkg: `${head}export DEBIAN_FRONTEND=noninteractive
for file; do
  case $file in
    *.deb) program=dpkg ;;
    *.rpm) program=rpm ;;
    *) echo "$file is neither a .deb nor a .rpm" >&2; exit 1 ;;
  esac
  if ! has "$program"; then echo "$file needs $program, which is not on this machine" >&2; exit 1; fi
done
case $1 in
  *.deb) exec dpkg --force-depends --force-confold -i -- "$@" ;;
  *) exec rpm -U --nodeps --replacepkgs -- "$@" ;;
esac
`,
  // The first argument is the runtime's endpoint, or a hyphen.
  image: `${head}endpoint=$1
shift
address=\${endpoint#unix://}
runtime=
case $endpoint in
  *containerd*) runtime=ctr ;;
  *isula*) runtime=isula ;;
  *crio*) runtime=podman ;;
  *docker*) runtime=docker ;;
esac
if [ -z "$runtime" ]; then
  for each in ctr isula docker podman; do
    if has "$each"; then runtime=$each; break; fi
  done
fi
if [ -z "$runtime" ] || ! has "$runtime"; then
  echo "nothing to load images with: \${runtime:-neither ctr, isula, docker nor podman} is on this machine" >&2
  exit 1
fi
for file; do
  case $runtime in
    ctr) if [ "$endpoint" = - ]; then ctr -n k8s.io images import "$file"
         else ctr --address "$address" -n k8s.io images import "$file"; fi ;;
    *) "$runtime" load -i "$file" ;;
  esac
done
`,
  yaml: `${head}for file; do
  kubectl --kubeconfig "$BOATHOOK_CONFIG_DIR/admin.conf" apply -f "$file"
done
`,
};
