/** What a command does when its output is closed, as `| head -1` closes the pipe. */
export type WhenUnread = 'end' | 'go on';

/** The exit code of a program that SIGPIPE ended, as a shell reports it. Node ignores that signal. */
const brokenPipe = 141;

/**
 * The only place where errors of stdout and stderr arrive; without it each of them is a crash. `whenUnread` is asked
 * at that moment. An unread stderr never ends a command: its answer is on stdout.
 */
export function handleClosedOutput(whenUnread: () => WhenUnread): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (whenUnread() === 'go on') return;
    if (error.code === 'EPIPE') process.exit(brokenPipe);
    process.stderr.write(`boathook: the output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => undefined);
}
