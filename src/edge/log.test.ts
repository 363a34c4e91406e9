import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { instant, type Clock } from '#base/time.ts';
import { createLog, type Fields, type Level, type LogOptions } from './log.ts';
import { Secret } from './secret.ts';

const clock: Clock = {
  now: () => instant(1_600_000_000_123),
  sleep: () => Promise.reject(new Error('not here')),
  after: () => () => undefined,
};

function lines(options: Partial<LogOptions>, use: (log: ReturnType<typeof createLog>) => void): string[] {
  const written: string[] = [];
  use(createLog({ level: 'debug', format: 'json', clock, write: (line) => written.push(line), ...options }));
  return written;
}

test('a line of JSON has time, level, message and fields', () => {
  const [line] = lines({}, (log) =>
    log.with({ room: 'edge' }).info('step advanced', { from: 3, to: 4, gone: undefined }),
  );
  expect(line?.endsWith('}\n')).toBe(true);
  expect(JSON.parse(line ?? '')).toEqual({
    time: '2020-09-13T12:26:40.123000Z',
    level: 'info',
    message: 'step advanced',
    room: 'edge',
    from: 3,
    to: 4,
  });
});

test('a line for people', () => {
  const [line] = lines({ format: 'text' }, (log) =>
    log.warn('will retry', { host: 'a.b:1', why: 'no\nroute', n: 2 }),
  );
  expect(line).toBe('12:26:40.123 WARN  will retry host=a.b:1 why="no\\nroute" n=2\n');
});

test.for<[Level, number]>([
  ['debug', 4],
  ['info', 3],
  ['warn', 2],
  ['error', 1],
])('level %s lets %i of four through', ([level, count]) => {
  const written = lines({ level }, (log) => {
    for (const each of ['debug', 'info', 'warn', 'error'] as const) log[each]('x');
  });
  expect(written).toHaveLength(count);
});

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

test.for<[string, Fields, unknown]>([
  [
    'errors',
    { e: new TypeError('bad', { cause: new Error('worse') }) },
    { e: { name: 'TypeError', message: 'bad', cause: { name: 'Error', message: 'worse' } } },
  ],
  ['large integers', { n: 10n ** 20n }, { n: '100000000000000000000' }],
  ['cycles', { cycle, ok: 1 }, { cycle: '[unprintable]', ok: 1 }],
  ['functions', { f: () => 1, ok: 1 }, { f: '[unprintable]', ok: 1 }],
  ['fields that would hide the line’s own', { level: 'x', message: 'y' }, { level: 'info', message: 'said' }],
])('%s do not break the line', ([, fields, expected]) => {
  const [line] = lines({}, (log) => log.info('said', fields));
  expect(JSON.parse(line ?? '')).toMatchObject(expected as object);
});

test('a secret prints as stars everywhere', () => {
  const secret = new Secret('hunter2');
  const nested = { secret, deep: [{ secret }], why: new Error('x', { cause: { secret } }) };
  const written = [
    ...lines({}, (log) => log.with({ secret }).info('a', nested)),
    ...lines({ format: 'text' }, (log) => log.info('a', nested)),
    String(secret),
    JSON.stringify(nested),
    inspect(nested, { depth: 9, showHidden: true }),
  ].join('\n');
  expect(written).not.toContain('hunter2');
  expect(written.match(/\*\*\*/g)?.length).toBeGreaterThanOrEqual(9);
  expect(secret.reveal()).toBe('hunter2');
});
