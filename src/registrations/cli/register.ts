import type { Command } from 'commander';
import type { RegistrationLintFlags } from './lint-command.ts';
import type { RenderFlags } from './render-command.ts';
import { repeated, type End } from '#command/given.ts';

const files = [
  '-f, --filename <file>',
  'YAML or JSON, several documents if need be; - reads the input; may be repeated',
  repeated,
] as const;

/** `boathook registration`: what a registration makes of an instance, without a cluster. */
export function addRegistration(program: Command, end: End): void {
  const registration = program
    .command('registration')
    .description('check registrations of CRDs, and see what they make of instances');
  registration
    .command('render')
    .description('print the objects that an instance becomes, without a cluster')
    .requiredOption(...files)
    .option('--reply <file>', 'what the hook would reply: one reply, or one for each phase by its name')
    .option('--live', 'ask the hook itself', false)
    .option('--hook-url <url>', 'with --live: ask here instead of at the address in the registration')
    .option('-n, --namespace <name>', 'of instances that name none', 'default')
    .option('--cluster-domain <name>', 'what the names of services end in', 'cluster.local')
    .option('-o, --output <format>', 'yaml or json', 'yaml')
    .addHelpText('after', renderHelp)
    .action(async (flags: RenderFlags) => {
      const { renderCommand } = await import('./render-command.ts');
      end(await renderCommand(flags));
    });
  registration
    .command('lint')
    .description('find mistakes in registrations, without a cluster; CRDs in the files are looked at too')
    .requiredOption(...files)
    .option('-o, --output <format>', 'json: print JSON instead of sentences')
    .addHelpText(
      'after',
      '\nEnds with 0 when there are no errors, 1 when there are, 2 when a file cannot be read.',
    )
    .action(async (flags: RegistrationLintFlags) => {
      const { lintCommand } = await import('./lint-command.ts');
      end(await lintCommand(flags));
    });
}

const renderHelp = `
The files hold one CRDRegistration and its instances; services, addressable objects and ConfigMaps that they refer to
are looked for there too. Without --reply and --live the hook is taken to have no wishes.

Ends with 0 when all was rendered, 1 when something stopped it, 2 when the input is wrong, 5 when --live reaches nobody.`;
