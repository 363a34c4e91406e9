/** Seconds that programs usually take on real machines, by their command line. */
const usualSpans: readonly (readonly [RegExp, number])[] = [
  [/^kubeadm init phase/, 3],
  [/^kubeadm init/, 60],
  [/^kubeadm join/, 30],
  [/^kubeadm upgrade plan/, 10],
  [/^kubeadm upgrade apply/, 120],
  [/^kubeadm upgrade/, 45],
  [/^kubeadm reset/, 15],
  [/^kubectl .*\bdrain\b/, 40],
  [/^(?:apt-get|apt|dnf|yum|zypper) .*\b(?:install|upgrade|update)\b/, 30],
  [/^(?:ctr|docker|podman|nerdctl|crictl) .*\b(?:load|import|pull)\b/, 20],
  [/^systemctl .*\brestart\b/, 3],
];

/** Other programs are taken for short ones. */
export const usualSpan = (command: string): number =>
  usualSpans.find(([start]) => start.test(command))?.[1] ?? 1;
