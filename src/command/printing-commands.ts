import type { Command } from 'commander';

/**
 * The commands that only print. They end when their output is closed; every other command finishes its work
 * without output.
 */
const printing: ReadonlySet<string> = new Set([
  'access',
  'crds',
  'cluster logs',
  'cluster plan',
  'cluster status',
  'completion',
  'data check',
  'hook get',
  'hook lint',
  'hook list',
  'registration lint',
  'registration render',
  'release diff',
  'release explain',
  'release get',
  'release history',
  'release lint',
  'release list',
  'release status',
  'version',
]);

export const isPrinting = (command: Command): boolean => printing.has(pathOf(command));

/** The words of a command without the program's own name. */
const pathOf = (command: Command): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
