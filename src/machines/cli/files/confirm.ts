import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ExitError } from '#command/exit.ts';

const isTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Without a terminal the user must give `--yes`. Nothing has changed at this point. */
export function demandYes(what: string, yes: boolean): void {
  if (!yes && !isTerminal())
    throw new ExitError(
      2,
      `${what}. There is no terminal for a confirmation: add --yes to confirm. Nothing was changed`,
    );
}

/** Asks on the terminal. */
export async function isConfirmed(what: string, yes: boolean): Promise<boolean> {
  if (yes || !isTerminal()) return true;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = once(lines, 'close').then(() => '');
  lines.setPrompt(`${what}. Continue? [y/N] `);
  lines.prompt();
  const answer = await Promise.race([once(lines, 'line').then(([line]) => String(line)), closed]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
