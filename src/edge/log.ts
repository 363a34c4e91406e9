import { formatMicroTime, type Clock } from '#base/time.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';
export type Fields = Readonly<Record<string, unknown>>;

/**
 * `info`: a state changed; `warn`: we will retry; `error`: a person must act; `debug`: the rest. Messages are
 * constant, what varies goes into fields. A `Secret` among the fields prints as `***`.
 */
export type Log = {
  readonly [level in Level]: (message: string, fields?: Fields) => void;
} & {
  /** A log that adds these fields to every line. */
  readonly with: (fields: Fields) => Log;
};

export type LogOptions = {
  readonly level: Level;
  readonly format: 'json' | 'text';
  readonly clock: Clock;
  /** Receives the lines, each with its line end; standard error unless given. */
  readonly write?: (line: string) => void;
};

const order: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

export function createLog(options: LogOptions, common: Fields = {}): Log {
  const { write = (line) => void process.stderr.write(line) } = options;
  const print = options.format === 'json' ? jsonLine : textLine;
  const at =
    (level: Level): Log[Level] =>
    (message, fields) => {
      if (order[level] < order[options.level]) return;
      write(`${print(formatMicroTime(options.clock.now()), level, message, { ...common, ...fields })}\n`);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLog(options, { ...common, ...fields }),
  };
}

function jsonLine(time: string, level: Level, message: string, fields: Fields): string {
  const head = JSON.stringify({ time, level, message });
  const rest = Object.entries(fields)
    .filter(([key, value]) => value !== undefined && !(key in { time, level, message }))
    .map(([key, value]) => `,${JSON.stringify(key)}:${printValue(value)}`);
  return `${head.slice(0, -1)}${rest.join('')}}`;
}

function textLine(time: string, level: Level, message: string, fields: Fields): string {
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${bare(printValue(value))}`);
  return `${time.slice(11, 23)} ${level.toUpperCase().padEnd(5)} ${message}${rest.join('')}`;
}

/** Quotes only where a reader needs them. */
const bare = (json: string): string => (/^"[\w./:@*+-]+"$/.test(json) ? json.slice(1, -1) : json);

function printValue(value: unknown): string {
  try {
    return JSON.stringify(value, plainly) ?? '"[unprintable]"';
  } catch {
    // A cycle: losing one field is better than losing the line.
    return '"[unprintable]"';
  }
}

function plainly(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!(value instanceof Error)) return value;
  return {
    name: value.name,
    message: value.message,
    ...(value.cause === undefined ? {} : { cause: value.cause }),
  };
}
