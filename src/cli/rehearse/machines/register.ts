import type { Command } from 'commander';
import { repeated, type End, type Given } from '#command/given.ts';
import { rehearsedVerbFlags } from '#machines/cli/register.ts';
import { verbs } from '#machines/cli/files/verbs.ts';

/** `boathook rehearse cluster`. */
export function addRehearseCluster(rehearse: Command, end: End): void {
  const command = rehearse
    .command('cluster')
    .description('run an operation of boathook cluster on simulated machines, on virtual time')
    .argument('<verb>', Object.keys(verbs).join(', '))
    .argument('[nodes...]', 'names or addresses of nodes, for join, delete and upgrade');
  rehearsedVerbFlags(command)
    .option('--from-version <version>', 'version of the machines before the operation (default: as recorded)')
    .option('--step <step=duration>', 'how long the scripts of a step take, such as PreUpgrade=30s', repeated)
    .option(
      '--fail <machine:step>',
      'scripts that fail: m1:PostInstall, m1:PostInstall:2 for two attempts, or *:PreInstall:5%',
      repeated,
    )
    .option(
      '--machine <name=trouble>',
      'm2=down, m2=down@STEP, m2=crash@STEP (it boots and is back after a minute) or m2=slow:3',
      repeated,
    )
    .option('--approve <policy>', 'questions of removals and downgrades: auto or never', 'auto')
    .option('--horizon <duration>', 'end the rehearsal after this time of the operation', '24h')
    .option('--seed <number>', 'the seed of all random numbers', '1')
    .option('--runs <number>', 'rehearse with so many seeds and print the distribution', '1')
    .option('--html <path>', 'write one HTML file with the timeline')
    .addHelpText('after', help)
    .action(async (verb: string, nodes: readonly string[], given: Given) => {
      const { rehearseCluster } = await import('./rehearse-cluster-command.ts');
      end(await rehearseCluster(verb, given, nodes));
    });
}

const help = `
Exit codes:
  0  the operation would complete
  1  it would fail, on all machines or on some
  2  bad input
  4  it would wait for an answer, or not end within --horizon

Examples:
  boathook rehearse cluster upgrade -f cluster.yaml --from-version 1.33.1
  boathook rehearse cluster deploy -f cluster.yaml --step PreInstall=5m --fail m2:PostInstall
  boathook rehearse cluster upgrade -f cluster.yaml --machine m2=crash@PreUpgrade --runs 100`;
