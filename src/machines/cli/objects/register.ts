import type { Command } from 'commander';
import { clusterOptions } from '#command/cluster-options.ts';
import { addFilename } from '#command/filename-option.ts';
import type { End, Given } from '#command/given.ts';

/** `boathook cluster create`: Clusters as objects, for a controller to work on. */
export function addObjects(cluster: Command, end: End): void {
  const create = cluster
    .command('create')
    .description('post the Cluster of FILE to an API server and follow it');
  const text = 'a Cluster, with its Machines if there are any; may be given again; - is stdin';
  addFilename(clusterOptions(create), text, { isRequired: true })
    .option('--installer <name>', 'instead of what FILE says: kubeadm, commands or none')
    .option('--no-wait', 'do not follow it')
    .option(
      '--timeout <duration>',
      'end with 124 after this time, such as 10m; the work continues (default: no limit)',
    )
    .action(async (options: Given) => {
      const { createObjects } = await import('./commands.ts');
      end(await createObjects(options));
    });
}
