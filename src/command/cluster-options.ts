import type { Command } from 'commander';
import { repeated, type Given } from './given.ts';
import type { ClusterFlags } from './open-cluster.ts';

/** Adds the flags that name a cluster: `--kubeconfig` and `--context`. */
export const whichCluster = (command: Command): Command =>
  command
    .option('--kubeconfig <path>', 'path of the kubeconfig (default: KUBECONFIG, else ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: the current one)');

/** Adds the flags of all commands that act in a cluster as a person: those that name it, `--as` and `--as-group`. */
export const clusterOptions = (command: Command): Command =>
  whichCluster(command)
    .option('--as <user>', 'user to impersonate')
    .option('--as-group <group>', 'group to impersonate; can be repeated', repeated);

/** The same and `--namespace`. */
export const namespacedOptions = (command: Command): Command =>
  clusterOptions(command).option('-n, --namespace <name>', 'namespace (default: that of the context)');

/** These flags as they were given. An empty value stays: it names no cluster, instead of another one. */
export const clusterFlagsIn = ({ kubeconfig, context, as, asGroup }: Given): ClusterFlags => ({
  kubeconfig: typeof kubeconfig === 'string' ? kubeconfig : undefined,
  context: typeof context === 'string' ? context : undefined,
  as: typeof as === 'string' ? as : undefined,
  asGroup: Array.isArray(asGroup) ? asGroup.map(String) : undefined,
});
