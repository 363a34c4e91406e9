import type { Command } from 'commander';
import type { HookClusterFlags, RunFlags } from './cluster-commands.ts';
import type { LintFlags } from './lint-command.ts';
import type { StopFlags } from './stop-command.ts';
import type { TestFlags } from './test-command.ts';
import { repeated, type End } from '#command/given.ts';

/** `boathook hook`: tests hooks without a cluster, and runs them in one. */
export function addHook(program: Command, end: End): void {
  const hook = program.command('hook').description('check, try and run hooks');
  addLint(hook, end);
  addTest(hook, end);
  addRun(hook, end);
  addOthers(hook, end);
}

const file = [
  '-f, --filename <file>',
  'YAML or JSON, several documents if need be; - reads the input',
] as const;
const output = ['-o, --output <format>', 'json: print JSON instead of sentences'] as const;
const argument = ['--arg <name=value>', 'the value of an argument; may be repeated', repeated] as const;

function addLint(hook: Command, end: End): void {
  hook
    .command('lint')
    .description('find mistakes in hook templates, without a cluster')
    .requiredOption(...file)
    .option(...output)
    .addHelpText(
      'after',
      '\nEnds with 0 when there are no errors, 1 when there are, 2 when the file cannot be read.',
    )
    .action(async (flags: LintFlags) => {
      const { lintCommand } = await import('./lint-command.ts');
      end(await lintCommand(flags));
    });
}

function addTest(hook: Command, end: End): void {
  hook
    .command('test')
    .description('try hook templates from here, without a cluster')
    .requiredOption(...file)
    .option(...argument)
    .option('--metric <name>', 'this metric only')
    .option('--url-override <url>', 'ask this server instead of the one in the template')
    .option('--fixture <file>', 'a recorded reply instead of a server; no time passes between the calls')
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

Ends with 0 Successful, 1 Failed, 2 bad input, 3 Error, 4 Inconclusive, 130 when it is interrupted.`;

const ofCluster = (command: Command, description: string): Command =>
  command
    .description(description)
    .option('--kubeconfig <path>', 'which cluster (default: KUBECONFIG, else ~/.kube/config)')
    .option('-n, --namespace <name>', 'which namespace (default: that of the kubeconfig)')
    .option(...output);

function addRun(hook: Command, end: End): void {
  ofCluster(hook.command('run').argument('<template>'), 'make a run from a template of the cluster')
    .option(...argument)
    .option('--name <name>', 'the name of the run (default: that of the template and some letters)')
    .option('--wait', 'wait for the verdict, and end as hook test does', false)
    .action(async (template: string, flags: RunFlags) => {
      const { runCommand } = await import('./cluster-commands.ts');
      end(await runCommand(template, flags));
    });
}

function addOthers(hook: Command, end: End): void {
  ofCluster(
    hook.command('get').argument('<name>'),
    'what a run asked, what it saw, and why it ended so',
  ).action(async (name: string, flags: HookClusterFlags) => {
    const { getCommand } = await import('./cluster-commands.ts');
    end(await getCommand(name, flags));
  });
  ofCluster(hook.command('list'), 'all runs and their verdicts')
    .option('-A, --all-namespaces', 'of all namespaces', false)
    .action(async (flags: HookClusterFlags) => {
      const { listCommand } = await import('./cluster-commands.ts');
      end(await listCommand(flags));
    });
  addStop(hook, end);
}

function addStop(hook: Command, end: End): void {
  ofCluster(
    hook.command('stop').argument('<name>'),
    'have a run ask no more, and print the verdict that follows',
  )
    .option(
      '--verdict <verdict>',
      'what is undecided ends as Successful, Failed or Inconclusive (default: Successful)',
    )
    .addHelpText('after', stopHelp)
    .action(async (name: string, flags: StopFlags) => {
      const { stopCommand } = await import('./stop-command.ts');
      end(await stopCommand(name, flags));
    });
}

const stopHelp = `
After Successful the release or the pod that waits for the run goes on. After Failed and Inconclusive it does not.
A verdict that the run has come to by itself is not changed.`;
