import type { Command } from 'commander';
import { clusterOptions } from '#command/cluster-options.ts';
import { addFilename } from '#command/filename-option.ts';
import { repeated, type End } from '#command/given.ts';
import type { RehearsedProduct } from '#cli/rehearse/virtual-cluster.ts';
import type { RehearseRegistrationFlags } from './rehearse-registration-command.ts';

/** `boathook rehearse registration`. `product` loads the controllers. */
export function addRehearseRegistration(
  rehearse: Command,
  end: End,
  product: () => Promise<RehearsedProduct>,
): void {
  const command = rehearse
    .command('registration')
    .description(
      'run an edit of a CRDRegistration on virtual time and print what each instance would become',
    );
  addFilename(command, 'manifests before the edit: CRDs, registrations, instances; files, folders or -', {
    isRequired: false,
  });
  clusterOptions(command)
    .option('--edit <path>', 'the edited objects: files or folders; can be repeated', repeated)
    .option(
      '--from-cluster <namespace>',
      'read the registrations, and the instances of this namespace; nothing is changed there',
    )
    .option(
      '--hook <name=answer>',
      'of a registration or a gate: a file with replies, pass, fail or fail-after:N; can be repeated',
      repeated,
    )
    .option('--live-hooks', 'call the real servers of hooks without --hook', false)
    .option('--horizon <duration>', 'end the rehearsal after this time', '1h')
    .option('--profile <name>', 'how fast pods start: instant, fast or realistic', 'realistic')
    .option('--seed <number>', 'the seed of all random numbers', '1')
    .option('--html <path>', 'write one HTML file with the comparison')
    .option('-o, --output <format>', 'json: print the report as JSON')
    .addHelpText('after', help)
    .action(async (flags: RehearseRegistrationFlags) => {
      const { rehearseRegistrationCommand } = await import('./rehearse-registration-command.ts');
      end(await rehearseRegistrationCommand(flags, product));
    });
}

const help = `
Exit codes:
  0  every instance would be as the registration declares it
  1  an instance would fail, or the registration would not be served
  2  bad input
  4  an instance would wait, or something would still change at --horizon

Examples:
  boathook rehearse registration -f examples/reconcile --edit registration-v2.yaml
  boathook rehearse registration --from-cluster games --edit registration-v2.yaml --hook kuard=reply.json`;
