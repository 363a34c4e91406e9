import { ExitError } from '#command/exit.ts';

/** Refuses a command without objects, and a namespace that can be none: '' would be all of them. */
export function checkGiven(filename: readonly string[], fromCluster: string | undefined): void {
  if (filename.length === 0 && fromCluster === undefined)
    throw new ExitError(2, 'give manifests with -f, or the namespace of a cluster with --from-cluster');
  if (fromCluster !== undefined && !/^[a-z0-9-]{1,63}$/.test(fromCluster))
    throw new ExitError(2, `--from-cluster '${fromCluster}' is not the name of a namespace: give one`);
}
