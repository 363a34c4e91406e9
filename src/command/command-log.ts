import { systemClock } from '#edge/clock.ts';
import { createLog, type Level, type Log, type LogOptions } from '#edge/log.ts';
import type { Report } from '#loop/report.ts';
import { oneOf } from '#command/chosen-names.ts';
import type { Given } from './given.ts';
import { printLine } from './print.ts';

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error'];
const formats: readonly LogOptions['format'][] = ['text', 'json'];

/** The log of a command that runs until it is stopped. */
export type CommandLog = Log & {
  readonly level: Level;
  /** Prints where something is served. A line of text on standard output; with `--log-format json`, a line of the log. */
  say(line: string): void;
};

export function openLog({ logLevel = 'info', logFormat = 'text' }: Given): CommandLog {
  const level = oneOf('--log-level', logLevel, levels);
  const format = oneOf('--log-format', logFormat, formats);
  const log = createLog({ level, format, clock: systemClock });
  return { ...log, level, say: format === 'json' ? (line) => log.info(line) : printLine };
}

/** What controllers report, at the level that they chose. */
export const reportTo =
  (log: Log): Report =>
  (message, fields, level) =>
    log[level](message, fields);

/** Errors that nobody expected, with the place where they were thrown. */
export const unexpectedTo =
  (log: Log) =>
  (error: unknown): void =>
    log.error('unexpected error', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
