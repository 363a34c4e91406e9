import type { Command } from 'commander';

type Given = Readonly<Record<string, unknown>>;
type End = (code: number) => void;

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `boathook cluster create`: Clusters as objects, for a controller to work on. */
export function addObjects(cluster: Command, end: End): void {
  ofServer(cluster.command('create').description('post the Cluster of FILE to an API server and follow it'))
    .requiredOption('-f, --file <path>', 'a Cluster, or its Machines; may be given again', collect)
    .option('--installer <name>', 'instead of what FILE says: kubeadm, commands or none')
    .option('--no-wait', 'do not follow it')
    .action(async (options: Given) => {
      const { createObjects } = await import('./commands.ts');
      end(await createObjects(options));
    });
}

/** What a command needs that looks at objects instead of files. */
export const ofServer = (command: Command): Command =>
  command.option(
    '--kubeconfig <path>',
    'which cluster has the objects (default: KUBECONFIG, else ~/.kube/config)',
  );
