import type { Command } from 'commander';
import type { HookClusterFlags, RunFlags } from './cluster-commands.ts';
import type { LintFlags } from './lint-command.ts';
import type { StopFlags } from './stop-command.ts';
import type { TestFlags } from './test-command.ts';
import { namespacedOptions } from '#command/cluster-options.ts';
import { repeated, type End } from '#command/given.ts';

/** `boathook hook`: tests hooks without a cluster, and runs them in one. */
export function addHook(program: Command, end: End): void {
  const hook = program.command('hook').description('check, test and run hooks');
  addLint(hook, end);
  addTest(hook, end);
  addRun(hook, end);
  addOthers(hook, end);
}

const file = [
  '-f, --filename <file>',
  'YAML or JSON with one or more documents; - reads the standard input',
] as const;
const output = ['-o, --output <format>', 'json: print JSON instead of text'] as const;
const argument = ['--arg <name=value>', 'value of an argument; can be repeated', repeated] as const;

function addLint(hook: Command, end: End): void {
  hook
    .command('lint')
    .description('find mistakes in hook templates, without a cluster')
    .requiredOption(...file)
    .option(...output)
    .addHelpText('after', '\nExit codes: 0 no errors, 1 errors, 2 the file cannot be read.')
    .action(async (flags: LintFlags) => {
      const { lintCommand } = await import('./lint-command.ts');
      end(await lintCommand(flags));
    });
}

function addTest(hook: Command, end: End): void {
  hook
    .command('test')
    .description('test hook templates in this process, without a cluster')
    .requiredOption(...file)
    .option(...argument)
    .option('--metric <name>', 'test only this metric')
    .option('--url-override <url>', 'call this server instead of the one in the template')
    .option(
      '--fixture <file>',
      'replay a recorded reply instead of calling a server; no time passes between the calls',
    )
    .option(...output)
    .addHelpText('after', testHelp)
    .action(async (flags: TestFlags) => {
      const { testCommand } = await import('./test-command.ts');
      end(await testCommand(flags));
    });
}

const testHelp = `
--url-override without a path keeps the path and the query of the template.
A fixture is the body of a reply (the object itself for the provider kubernetes), or a list of replies, of which
the last is repeated: {"replies": [{"status": 200, "body": {"age": 45}}, {"status": 503, "body": "busy"}]}

Exit codes: 0 Successful, 1 Failed, 2 bad input, 3 Error, 4 Inconclusive, 130 interrupted.`;

const ofCluster = (command: Command, description: string): Command =>
  namespacedOptions(command.description(description)).option(...output);

function addRun(hook: Command, end: End): void {
  ofCluster(hook.command('run').argument('<template>'), 'create a HookRun from a HookTemplate of the cluster')
    .option(...argument)
    .option('--name <name>', 'name of the HookRun (default: that of the template with a random suffix)')
    .option('--wait', 'wait for the verdict', false)
    .option(
      '--timeout <duration>',
      'with --wait: end with 124 after this time, such as 10m; the run continues',
    )
    .addHelpText('after', runHelp)
    .action(async (template: string, flags: RunFlags) => {
      const { runCommand } = await import('./cluster-commands.ts');
      end(await runCommand(template, flags));
    });
}

const runHelp = `
Examples:
  boathook hook run error-rate --arg service=shop
  boathook hook run error-rate --arg service=shop --wait --timeout 10m

Exit codes with --wait: 0 Successful, 1 Failed, 2 bad input, 3 Error, 4 Inconclusive, 5 no cluster or login refused,
124 the timeout elapsed, 130 interrupted.`;

function addOthers(hook: Command, end: End): void {
  ofCluster(
    hook.command('get').argument('<name>'),
    'show the calls, replies and verdict of a HookRun',
  ).action(async (name: string, flags: HookClusterFlags) => {
    const { getCommand } = await import('./cluster-commands.ts');
    end(await getCommand(name, flags));
  });
  ofCluster(hook.command('list'), 'list HookRuns and their verdicts')
    .option('-A, --all-namespaces', 'list the HookRuns of all namespaces', false)
    .action(async (flags: HookClusterFlags) => {
      const { listCommand } = await import('./cluster-commands.ts');
      end(await listCommand(flags));
    });
  addStop(hook, end);
}

function addStop(hook: Command, end: End): void {
  ofCluster(hook.command('stop').argument('<name>'), 'stop a HookRun, and print its verdict')
    .option(
      '--verdict <verdict>',
      'verdict of undecided metrics: Successful, Failed or Inconclusive (default: Successful)',
    )
    .addHelpText('after', stopHelp)
    .action(async (name: string, flags: StopFlags) => {
      const { stopCommand } = await import('./stop-command.ts');
      end(await stopCommand(name, flags));
    });
}

const stopHelp = `
After Successful the release or the pod that waits for the run continues. After Failed and Inconclusive it does not.
A run that already has a verdict keeps it.`;
