import type { Command } from 'commander';
import { clusterOptions } from '#command/cluster-options.ts';
import type { End } from '#command/given.ts';
import type { SimFlags } from './sim.ts';

/** `boathook sim`: faults of simulated pods and nodes on request. */
export function addSim(program: Command, end: End): void {
  const sim = program.command('sim').description('cause faults of simulated pods and nodes');
  const acts = {
    crash: 'crash now',
    ready: 'let its readiness probe succeed',
    unready: 'let its readiness probe fail',
  } as const;
  for (const act of ['crash', 'ready', 'unready'] as const) {
    ofCluster(sim.command(act).argument('<pod>'), `a pod, or one container of it: ${acts[act]}`)
      .option('-n, --namespace <name>', "the pod's namespace (default: that of the context)")
      .option('-c, --container <name>', 'this container only')
      .action(async (name: string, options: SimFlags) => {
        const { simPod } = await import('./sim.ts');
        end(await simPod(act, name, options));
      });
  }
  const node = sim.command('node').description('stop and resume a simulated node');
  for (const act of ['down', 'up'] as const) {
    const what =
      act === 'down'
        ? 'stop the heartbeats and the pods of a node'
        : 'resume the heartbeats and the pods of a node';
    ofCluster(node.command(act).argument('<name>'), what).action(async (name: string, options: SimFlags) => {
      const { simNode } = await import('./sim.ts');
      end(await simNode(act, name, options));
    });
  }
}

const ofCluster = (command: Command, description: string): Command =>
  clusterOptions(command.description(description)).option(
    '-o, --output <format>',
    'json: print what was done as JSON',
  );
