import { Command, CommanderError } from 'commander';
import { ExitError } from './exit.ts';
import { packageVersion } from './package-version.ts';

/** The front door: each command is loaded when it is asked for, so that starting stays quick. */
async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('boathook')
    .description(
      'Lifecycle hooks for Kubernetes, with an embedded control plane that real kubectl can talk to',
    )
    .version(packageVersion())
    .showHelpAfterError('(boathook --help shows the commands and their options)')
    .exitOverride();
  let code = 0;
  program
    .command('up')
    .description('start the embedded control plane')
    .option('--data-dir <path>', 'where objects, certificates and the kubeconfig are kept', '.boathook')
    .option('--ephemeral', 'keep objects in memory only', false)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 picks a free one', '7443')
    .option('--kubeconfig <path>', 'where to write the kubeconfig (default: <data-dir>/kubeconfig)')
    .option('--token-file <path>', 'CSV of bearer tokens: token,user,uid[,"group1,group2"]')
    .option(
      '--authorization <mode>',
      'who may do what: rbac (roles and bindings) or allow (everything)',
      'allow',
    )
    .option('--controllers <list>', "Boathook's own controllers: all, none, or names with commas", 'all')
    .option(
      '--kube-controllers <list>',
      'built-in Kubernetes controllers: all, none, or names with commas',
      'all',
    )
    .option('--nodes <number>', 'simulated nodes; 0 for none', '3')
    .option('--profile <name>', 'how the simulated nodes behave: instant, fast or realistic', 'fast')
    .option('--time-scale <factor>', 'how long simulated delays take; 0.1 is ten times as fast', '1')
    .option('--seed <number>', 'what the simulated nodes draw their chances from', '1')
    .action(async (options: Record<string, unknown>) => {
      const { up } = await import('./up.ts');
      code = await up(options);
    });
  await program.parseAsync(argv, { from: 'user' });
  return code;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ExitError) {
    process.stderr.write(`boathook: ${error.message}\n`);
    return error.code;
  }
  process.stderr.write(
    `boathook: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}
