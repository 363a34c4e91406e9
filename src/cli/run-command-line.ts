import { CommanderError } from 'commander';
import { handleClosedOutput, type WhenUnread } from '#edge/closed-output.ts';
import { asCalled, calledAs } from '#command/called-as.ts';
import { ExitError } from '#command/exit.ts';
import { isPrinting } from '#command/printing-commands.ts';
import { checkDataDir } from '#command/usable-folder.ts';
import { withFlagsLast } from '#command/leading-flags.ts';
import { programOf } from './program.ts';

/** Parses a command line, runs the command and returns its exit code. What is wrong is printed. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  try {
    return await run(argv);
  } catch (error) {
    return exitCodeOf(error);
  }
}

async function run(argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = programOf(calledAs(), (ended) => void (code = ended));
  let whenUnread: WhenUnread = 'go on';
  handleClosedOutput(() => whenUnread);
  program.hook('preAction', (_program, command) => {
    if (isPrinting(command)) whenUnread = 'end';
    else checkDataDir(command);
  });
  await program.parseAsync(withFlagsLast(program, argv), { from: 'user' });
  return code;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ExitError) {
    process.stderr.write(`boathook: ${asCalled(error.message)}\n`);
    return error.code;
  }
  process.stderr.write(
    `boathook: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}
