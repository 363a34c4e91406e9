import { expect, test } from 'vitest';
import { textWidth } from '#base/text-width.ts';
import { instant, later, seconds } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { firstPicture, frameOf, nextPicture } from './live-frame.ts';

const start = instant(0);
const plan = (count: number): MachinePlan => ({
  cluster: 'c',
  operation: 'cluster.create',
  parallel: 9,
  onUnreachable: 'refuse',
  notes: [],
  stages: [
    {
      id: 's',
      title: '',
      steps: [
        {
          kind: 'remove',
          id: 's/a',
          title: 'a',
          paths: [],
          policy: {} as never,
          targets: Array.from({ length: count }, (_, at) => ({
            node: `node-${at}`,
            env: [],
            fingerprint: '',
          })),
        },
      ],
    },
  ],
});
const task = (node: string, state: 'Launched' | 'Succeeded' | 'Failed'): ProgressEvent => ({
  type: 'task',
  at: start,
  step: 's/a',
  title: 'a',
  node,
  state,
  attempt: 1,
  ...(state === 'Failed' && { outcome: { type: 'failed', message: 'exit 7\nmore' } as const }),
});
const screen = { columns: 80, rows: 24 };

test('a line per node with step, time and last words, and a bar', () => {
  const events: readonly ProgressEvent[] = [
    { type: 'operation', at: start, id: 'o', state: 'Running' },
    task('node-0', 'Launched'),
    {
      type: 'output',
      at: start,
      step: 's/a',
      node: 'node-0',
      stream: 'stdout',
      line: '\u001B[31munpacking\u001B[0m\u0007',
    },
    task('node-1', 'Succeeded'),
  ];
  const picture = events.reduce(nextPicture, firstPicture(plan(2), start));
  const [first, second, bar] = frameOf(picture, later(start, seconds(65)), screen);
  expect(first).toMatch(/^node-0 +Launched +1m5s +a +│ unpacking *$/);
  expect(second).toMatch(/^node-1 {2}Succeeded/);
  expect(bar).toBe(`[${'█'.repeat(20)}${'░'.repeat(20)}] 1/2 Running`);
});

test('more nodes than lines: trouble and work come first, the rest is counted', () => {
  const picture = nextPicture(
    nextPicture(firstPicture(plan(200), start), task('node-150', 'Launched')),
    task('node-199', 'Failed'),
  );
  const lines = frameOf(picture, start, { columns: 60, rows: 10 });
  expect(lines).toHaveLength(8);
  expect(lines[0]).toMatch(/^node-199 +Failed .*exit 7$/);
  expect(lines[1]).toMatch(/^node-150 +Launched/);
  expect(lines.at(-2)).toBe('… and 194 more nodes');
});

test('no line is wider than the screen', () => {
  const long: ProgressEvent = {
    type: 'output',
    at: start,
    step: 's/a',
    node: 'node-0',
    stream: 'stderr',
    line: 'x'.repeat(500),
  };
  const picture = nextPicture(firstPicture(plan(1), start), long);
  for (const line of frameOf(picture, start, { columns: 40, rows: 9 }))
    expect(line.length).toBeLessThanOrEqual(40);
});

test('files on their way: how much of them is there', () => {
  const copy: ProgressEvent = {
    type: 'copy',
    at: start,
    step: 's/a',
    node: 'node-0',
    bytes: 3 * 1024 * 1024,
    total: 12 * 1024 * 1024,
  };
  const picture = [task('node-0', 'Launched'), copy].reduce(nextPicture, firstPicture(plan(1), start));
  expect(frameOf(picture, start, screen)[0]).toMatch(/│ 3\.0 of 12\.0 MiB copied \(25 %\)$/);
});

test('names with wide letters line up, and are cut within no letter', () => {
  const wide = structuredClone(plan(1)) as unknown as {
    stages: { steps: { targets: { node: string }[] }[] }[];
  };
  wide.stages[0]?.steps[0]?.targets.push({ node: '工作节点' }, { node: '工作节点'.repeat(20) });
  const picture = firstPicture(wide as unknown as MachinePlan, start);
  const lines = frameOf(picture, start, { columns: 30, rows: 9 });
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(30);
  const [first, second] = frameOf(
    { ...picture, lines: new Map([...picture.lines].slice(0, 2)) },
    start,
    screen,
  );
  const before = (line = ''): number => textWidth(line.slice(0, line.indexOf('Waiting')));
  expect(before(first)).toBe(before(second));
});

test('blocked: when the next try begins', () => {
  const blocked: ProgressEvent = {
    type: 'operation',
    at: start,
    id: 'o',
    state: 'Blocked',
    wakeAt: later(start, seconds(8)),
  };
  const picture = nextPicture(firstPicture(plan(1), start), blocked);
  expect(frameOf(picture, later(start, seconds(3)), screen).at(-1)).toMatch(
    /0\/1 Blocked, next try at 00:00:08 \(in 5s\)$/,
  );
});
