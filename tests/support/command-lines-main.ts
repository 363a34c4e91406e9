/**
 * A program: runs the command lines that its parent sends, one after the other, and reports how each ended.
 */
import { runCommandLine } from '#cli/run-command-line.ts';

export type Order = { readonly args: readonly string[]; readonly cwd: string };

// Each command listens for errors of its output.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);
process.on('message', (order: Order) => void carryOut(order));

async function carryOut({ args, cwd }: Order): Promise<void> {
  process.chdir(cwd);
  const printed = { out: '', error: '' };
  process.stdout.write = (piece) => ((printed.out += String(piece)), true);
  process.stderr.write = (piece) => ((printed.error += String(piece)), true);
  const code = await runCommandLine(args);
  process.send?.({ code, signal: null, ...printed });
}
