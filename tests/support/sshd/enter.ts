import { quote } from '#edge/ssh/quote.ts';

/** A folder or file of the host's own in place of the machine's; `tmpfs`: an empty disk of that size. */
export type Mount =
  { readonly onto: string; readonly from: string } | { readonly onto: string; readonly tmpfs: string };

/** The command that makes a host out of namespaces: own mounts, own processes, own host name. */
export function hostProgram(
  hostname: string,
  mounts: readonly Mount[],
  command: readonly string[],
): readonly string[] {
  const lines = mounts.map((mount) =>
    'from' in mount
      ? `mount --bind ${quote(mount.from)} ${quote(mount.onto)}`
      : `mount -t tmpfs -o size=${mount.tmpfs} tmpfs ${quote(mount.onto)}`,
  );
  const script = ['set -e', `hostname ${quote(hostname)}`, ...lines, `exec ${command.map(quote).join(' ')}`];
  return [
    'unshare',
    '--mount',
    '--pid',
    '--uts',
    '--fork',
    '--kill-child',
    '--mount-proc',
    'sh',
    '-c',
    script.join('\n'),
  ];
}
