import type { Command } from 'commander';

/**
 * The commands that print and change nothing: when nobody reads their output, nothing is left to do. Every other
 * command has work to finish, so it goes on without its output.
 */
const printing: ReadonlySet<string> = new Set([
  'access',
  'crds',
  'cluster logs',
  'cluster plan',
  'cluster status',
  'data check',
  'hook get',
  'hook lint',
  'hook list',
  'registration lint',
  'registration render',
]);

export const isPrinting = (command: Command): boolean => printing.has(pathOf(command));

/** The words of a command without the program's own name. */
const pathOf = (command: Command): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
