import type { Command } from 'commander';
import { clusterOptions } from '#command/cluster-options.ts';
import { addFilename } from '#command/filename-option.ts';
import type { End, Given } from '#command/given.ts';

/** `boathook cluster create`: Clusters as objects, for a controller to work on. */
export function addObjects(cluster: Command, end: End): void {
  const create = cluster
    .command('create')
    .description('create the Cluster of FILE on an API server and wait until it is ready');
  const text = 'file with a Cluster, and its Machines if any; can be repeated; - reads standard input';
  addFilename(clusterOptions(create), text, { isRequired: true })
    .option('--installer <name>', 'installer instead of the one in FILE: kubeadm, commands or none')
    .option('--no-wait', 'do not wait until it is ready')
    .option(
      '--timeout <duration>',
      'end with 124 after this time, such as 10m; the work continues (default: no limit)',
    )
    .action(async (options: Given) => {
      const { createObjects } = await import('./commands.ts');
      end(await createObjects(options));
    });
}
