import { readFileSync } from 'node:fs';
import { ExitError } from '#command/exit.ts';

const shells = ['bash', 'zsh', 'fish'];

/** `boathook completion SHELL`: prints the script of a shell, which is in scripts/completion. */
export function completion(shell: string): number {
  if (!shells.includes(shell))
    throw new ExitError(2, `there is no completion for "${shell}": use bash, zsh or fish`);
  const script = new URL(`../../../scripts/completion/boathook.${shell}`, import.meta.url);
  process.stdout.write(readFileSync(script, 'utf8'));
  return 0;
}
