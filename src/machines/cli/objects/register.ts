import type { Command } from 'commander';
import { addFilename } from '#command/filename-option.ts';
import type { End, Given } from '#command/given.ts';

/** `boathook cluster create`: Clusters as objects, for a controller to work on. */
export function addObjects(cluster: Command, end: End): void {
  const create = cluster
    .command('create')
    .description('post the Cluster of FILE to an API server and follow it');
  const text = 'a Cluster, with its Machines if there are any; may be given again; - is stdin';
  addFilename(ofServer(create), text, { isRequired: true })
    .option('--installer <name>', 'instead of what FILE says: kubeadm, commands or none')
    .option('--no-wait', 'do not follow it')
    .option('--timeout <duration>', 'how long it is followed, such as 10m; to its end unless given')
    .action(async (options: Given) => {
      const { createObjects } = await import('./commands.ts');
      end(await createObjects(options));
    });
}

/** The flag of commands that read objects instead of files. */
export const ofServer = (command: Command): Command =>
  command.option(
    '--kubeconfig <path>',
    'which cluster has the objects (default: KUBECONFIG, else ~/.kube/config)',
  );
