import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millis } from '#base/time.ts';
import { tuningOf, tuningProblems, tuningTexts } from './annotations.ts';
import { draw } from './draw.ts';
import { tuningTable } from './keys.ts';
import { nextChange, parseOutcome, succeeds } from './probe-outcome.ts';
import { profiles } from './profiles.ts';
import { tuningReference } from './reference.ts';
import { scriptOf, type ContainerRole } from './script.ts';
import { parseSpan, printSpan } from './span.ts';

test.for([
  ['0', 0],
  ['250ms', 250],
  ['5s', 5000],
  ['1.5s', 1500],
  ['1m30s', 90_000],
  ['2h', 7_200_000],
  ['', undefined],
  ['5', undefined],
  ['-5s', undefined],
  ['5s ', undefined],
  ['5d', undefined],
  ['99999999h', undefined],
] as const)('the span %s', ([text, expected]) => {
  expect(parseSpan(text)).toBe(expected);
});

test.for([
  [10_000, '10s'],
  [350, '350ms'],
  [80_000, '1m20s'],
  [300_000, '5m0s'],
  [1234, '1.23s'],
  [3_660_000, '1h1m0s'],
] as const)('%i ms are printed as %s', ([span, text]) => {
  expect(printSpan(millis(span))).toBe(text);
});

test.for([
  ['ok', { type: 'ok' }],
  ['fail', { type: 'fail' }],
  ['flap', { type: 'flap', span: 10_000 }],
  ['flap:5s', { type: 'flap', span: 5000 }],
  ['fail-first:20s', { type: 'fail-first', span: 20_000 }],
  ['fail-after:1m', { type: 'fail-after', span: 60_000 }],
  ['fail-first', undefined],
  ['flap:0', undefined],
  ['ok:5s', undefined],
  ['sometimes', undefined],
] as const)('the outcome %s', ([text, expected]) => {
  expect(parseOutcome(text)).toEqual(expected);
});

test('an outcome changes exactly at its next time', () => {
  const story = fc
    .tuple(fc.constantFrom('fail-first', 'fail-after', 'flap'), fc.integer({ min: 1, max: 100 }))
    .map(([type, span]) => parseOutcome(`${type}:${span}ms`) ?? { type: 'ok' as const });
  fc.assert(
    fc.property(story, fc.integer({ min: 0, max: 500 }), (outcome, since) => {
      const now = succeeds(outcome, millis(since));
      const change = nextChange(outcome, millis(since));
      const end = change ?? since + 300;
      for (let at = since; at < end; at += 1) expect(succeeds(outcome, millis(at))).toBe(now);
      if (change !== undefined) expect(succeeds(outcome, change)).toBe(!now);
    }),
  );
});

test('annotations are about ordinary containers, or about the one they name', () => {
  const texts = tuningTexts({
    'sim.boathook.dev/exit-code': '2',
    'sim.boathook.dev/exit-code.web': '3',
    'sim.boathook.dev/pull.init': 'error',
    'sim.boathook.dev/crash-after': 'soon',
    'example.com/exit-code': '9',
  });
  expect(tuningOf(texts, 'web', true)).toEqual({ 'exit-code': 3 });
  expect(tuningOf(texts, 'other', true)).toEqual({ 'exit-code': 2 });
  expect(tuningOf(texts, 'init', false)).toEqual({ pull: 'error' });
});

test('what cannot be read is named', () => {
  const texts = {
    'crash-after': 'soon',
    'pull.ghost': 'error',
    wobble: '1',
    'exit-code': '256',
    probe: 'ok',
  };
  expect(tuningProblems(texts, ['web'])).toEqual([
    { key: 'crash-after', message: '"soon" is not a span such as `250ms`, `5s`, `1m30s`' },
    { key: 'pull.ghost', message: 'the pod has no container "ghost"' },
    { key: 'wobble', message: 'there is no sim.boathook.dev/wobble' },
    { key: 'exit-code', message: '"256" is not a whole number from 0 to 255' },
  ]);
});

test('every example of the table can be read', () => {
  for (const [key, row] of Object.entries(tuningTable))
    expect([key, row.parse(row.example) === undefined]).toEqual([key, false]);
});

const role: ContainerRole = { pod: 'ns/p', container: 'c', kind: 'ordinary', ofJob: false, restartCount: 0 };
const settings = { profile: profiles.realistic, timeScale: 0.5, seed: 1 };

test.for([
  { name: 'a service lasts', texts: {}, of: role, ending: undefined },
  {
    name: 'a crash ends it with 1',
    texts: { 'crash-after': '4s' },
    of: role,
    ending: { after: 2000, exitCode: 1, reason: 'Error' },
  },
  {
    name: 'a run ends with 0',
    texts: { 'run-duration': '4s' },
    of: role,
    ending: { after: 2000, exitCode: 0, reason: 'Completed' },
  },
  {
    name: 'a run ends with the given exit code',
    texts: { 'run-duration': '4s', 'exit-code': '137', 'exit-reason': 'OOMKilled' },
    of: role,
    ending: { after: 2000, exitCode: 137, reason: 'OOMKilled' },
  },
  {
    name: 'after its crashes it lasts',
    texts: { 'crash-after': '4s', 'crash-count': '2' },
    of: { ...role, restartCount: 2 },
    ending: undefined,
  },
  {
    name: 'after its crashes what has to end ends well',
    texts: { 'crash-after': '4s', 'crash-count': '2', 'run-duration': '2s', 'exit-code': '5' },
    of: { ...role, restartCount: 2 },
    ending: { after: 1000, exitCode: 0, reason: 'Completed' },
  },
])('$name', ({ texts, of, ending }) => {
  expect(scriptOf(settings, texts, of).ending).toEqual(ending);
});

test('init containers and Jobs end by themselves', () => {
  expect(scriptOf(settings, {}, { ...role, kind: 'init' }).ending?.exitCode).toBe(0);
  expect(scriptOf(settings, {}, { ...role, ofJob: true }).ending?.exitCode).toBe(0);
  expect(scriptOf(settings, {}, { ...role, kind: 'sidecar', ofJob: true }).ending).toBeUndefined();
});

test('what is drawn stays in its range and depends on the text alone', () => {
  const range = { least: millis(100), most: millis(200) };
  const spans = Array.from({ length: 200 }, (_, i) => draw(range, `pod-${i}`));
  expect(spans.every((span) => span >= 100 && span <= 200)).toBe(true);
  expect(new Set(spans).size).toBeGreaterThan(40);
  expect(Array.from({ length: 200 }, (_, i) => draw(range, `pod-${i}`))).toEqual(spans);
});

test('the reference has a row for every key', () => {
  const lines = tuningReference().split('\n');
  expect(lines).toHaveLength(Object.keys(tuningTable).length + 2);
  expect(lines[3]).toBe(
    '| `sim.boathook.dev/pull` | Whether the image can be pulled; `error` backs off and tries again. | `ok`, `error` or `invalid` | `error` |',
  );
});
