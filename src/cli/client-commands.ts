import type { Command } from 'commander';
import { clusterOptions } from '#command/cluster-options.ts';
import type { End } from '#command/given.ts';
import type { VersionFlags } from './version.ts';

/** `boathook version`. */
export function addVersion(program: Command, end: End): void {
  clusterOptions(
    program
      .command('version')
      .description(
        'print the versions of boathook and of the cluster, and the kinds that the cluster serves',
      ),
  )
    .option('--client', 'print the versions of this program only, and connect to no cluster', false)
    .option('-o, --output <format>', 'json, yaml: another format than text')
    .addHelpText('after', versionHelp)
    .action(async (flags: VersionFlags) => {
      const { version } = await import('./version.ts');
      end(await version(flags));
    });
}

const versionHelp = `
Examples:
  boathook version
  boathook version --client
  boathook version -o json

Exit codes: 0 also without a cluster, 2 bad input.`;

/** `boathook completion`, and the hidden command that the scripts run. */
export function addCompletion(program: Command, end: End): void {
  program
    .command('completion')
    .description('print a script for the completion of commands, flags and object names in a shell')
    .argument('<shell>', 'bash, zsh, fish')
    .addHelpText('after', completionHelp)
    .action(async (shell: string) => {
      const { completion } = await import('./completion/scripts.ts');
      end(completion(shell));
    });
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { complete } = await import('./completion/complete.ts');
      end(await complete(program, words));
    });
}

const completionHelp = `
Examples:
  source <(boathook completion bash)
  boathook completion zsh > "\${fpath[1]}/_boathook"
  boathook completion fish > ~/.config/fish/completions/boathook.fish

kubectl 1.26 or newer completes the words after kubectl boathook if kubectl_complete-boathook is on the PATH.`;
