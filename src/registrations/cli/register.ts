import type { Command } from 'commander';
import type { RegistrationLintFlags } from './lint-command.ts';
import type { RenderFlags } from './render-command.ts';
import { repeated, type End } from '#command/given.ts';

const files = [
  '-f, --filename <file>',
  'YAML or JSON file with one or more documents; - reads standard input; can be repeated',
  repeated,
] as const;

/** `boathook registration`: check and render registrations without a cluster. */
export function addRegistration(program: Command, end: End): void {
  const registration = program
    .command('registration')
    .description('check CRDRegistrations, and render their instances');
  registration
    .command('render')
    .description('print the objects that a registration renders for an instance, without a cluster')
    .requiredOption(...files)
    .option(
      '--reply <file>',
      'JSON file with the reply of the hook: one for all phases, or one for each phase by its name',
    )
    .option('--live', 'call the hook', false)
    .option('--hook-url <url>', 'with --live: call this URL instead of the address in the registration')
    .option('-n, --namespace <name>', 'namespace of objects without one, and of the controller', 'default')
    .option('--cluster-domain <name>', 'DNS domain of the cluster', 'cluster.local')
    .option('-o, --output <format>', 'yaml or json', 'yaml')
    .addHelpText('after', renderHelp)
    .action(async (flags: RenderFlags) => {
      const { renderCommand } = await import('./render-command.ts');
      end(await renderCommand(flags));
    });
  registration
    .command('lint')
    .description('check registrations without a cluster; CRDs in the files are checked against them')
    .requiredOption(...files)
    .option('-o, --output <format>', 'json: print JSON instead of text')
    .addHelpText('after', '\nExit codes: 0 no errors, 1 errors, 2 a file cannot be read.')
    .action(async (flags: RegistrationLintFlags) => {
      const { lintCommand } = await import('./lint-command.ts');
      end(await lintCommand(flags));
    });
}

const renderHelp = `
The files contain one CRDRegistration, its instances, and the Services, addressable objects and ConfigMaps that they
refer to. Without --reply and --live the reply of the hook is empty.

Exit codes: 0 all instances rendered, 1 an instance failed, 2 wrong input, 5 --live cannot reach the hook.`;
