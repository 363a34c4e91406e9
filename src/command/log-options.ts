import type { Command } from 'commander';

/** Adds `--log-level` and `--log-format`, for commands that run until they are stopped. */
export const logOptions = (command: Command): Command =>
  command
    .option(
      '--log-level <level>',
      'least level of the lines on standard error: debug, info, warn or error',
      'info',
    )
    .option('--log-format <format>', 'format of these lines: text or json', 'text');
