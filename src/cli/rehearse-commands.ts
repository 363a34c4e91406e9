import type { Command } from 'commander';
import { clusterOptions } from '#command/cluster-options.ts';
import { addFilename } from '#command/filename-option.ts';
import { repeated, type End } from '#command/given.ts';
import type { RehearseFlags } from './rehearse/rehearse-flags.ts';
import { addRehearseCluster } from './rehearse/machines/register.ts';
import { addRehearseRegistration } from './rehearse/registrations/register.ts';

/** `boathook rehearse`. */
export function addRehearse(program: Command, end: End): void {
  const command = program
    .command('rehearse')
    .description('run a release on virtual time, without a cluster, and report how it would go');
  command.enablePositionalOptions();
  addRehearseCluster(command, end);
  addRehearseRegistration(
    command,
    end,
    async () => (await import('./rehearse-product.ts')).registrationsProduct,
  );
  addFilename(command, 'manifests: files, folders (their YAML and JSON files) or -', { isRequired: false });
  clusterOptions(command)
    .option('--from-cluster <namespace>', 'read the objects of this namespace; nothing is changed there')
    .option('--workload <name>', 'rehearse this workload only, such as gd/shop')
    .option(
      '--change <what>',
      'image=app:v2, image.CONTAINER=app:v2 or replicas=6; can be repeated',
      repeated,
    )
    .option(
      '--hook <template=answer>',
      'a file with a recorded reply, pass, fail or fail-after:N; can be repeated',
      repeated,
    )
    .option('--live-hooks', 'call the real servers of hooks without --hook', false)
    .option('--pods <behaviour>', 'of containers with new images: slow-start=20s,crash=5%')
    .option('--approve <policy>', 'pauses without a duration: auto, never or after:10m', 'auto')
    .option('--horizon <duration>', 'end the rehearsal after this time of the release', '24h')
    .option('--profile <name>', 'how fast pods start: instant, fast or realistic', 'realistic')
    .option('--seed <number>', 'the seed of all random numbers', '1')
    .option('--runs <number>', 'rehearse with so many seeds and print the distribution', '1')
    .option('--html <path>', 'write one HTML file with the timeline')
    .option('-o, --output <format>', 'json: print the report as JSON')
    .addHelpText('after', help)
    .action(async (flags: RehearseFlags) => {
      const { rehearseCommand } = await import('./rehearse/rehearse-command.ts');
      const { releasesProduct } = await import('./rehearse-product.ts');
      end(await rehearseCommand(flags, releasesProduct));
    });
}

const help = `
Exit codes:
  0  the release would complete
  1  it would stop: a hook fails, or it cannot continue
  2  bad input
  4  it would wait for approval, or not end within --horizon

Examples:
  boathook rehearse -f manifests/ --change image=app:v2
  boathook rehearse -f examples/canary --change image=python:3.5 --hook test=examples/hooks/reply.json
  boathook rehearse --from-cluster games --workload gd/shop --change image=shop:1.2 --runs 100`;
