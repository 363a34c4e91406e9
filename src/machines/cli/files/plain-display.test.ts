import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import { plainDisplay } from './plain-display.ts';

const failed = (attempt: number, cause: string, node = 'n1'): ProgressEvent => ({
  type: 'task',
  at: instant(0),
  step: 'node-pre/PreInstall',
  node,
  title: 'PreInstall',
  state: 'Failed',
  attempt,
  outcome: { type: 'failed', exit: 7, message: `${node}: ${cause}\nFull log: /logs/${attempt}.log` },
});

function shown(...events: readonly ProgressEvent[]): readonly string[] {
  const lines: string[] = [];
  const display = plainDisplay((text) => lines.push(...text.trimEnd().split('\n')));
  for (const event of events) display.show(event);
  return lines.filter((line) => line.startsWith(' ')).map((line) => line.trim());
}

test('a cause that comes back at every attempt is printed once, with the log of each attempt', () => {
  expect(shown(failed(1, 'disk full'), failed(2, 'disk full'), failed(3, 'disk full'))).toEqual([
    'n1: disk full',
    'Full log: /logs/1.log',
    'the same cause as in the previous attempt',
    'Full log: /logs/2.log',
    'the same cause as in the previous attempt',
    'Full log: /logs/3.log',
  ]);
});

test('another cause, and the same on another node, are printed', () => {
  const causes = shown(failed(1, 'disk full'), failed(1, 'disk full', 'n2'), failed(2, 'no disk')).filter(
    (line) => !line.startsWith('Full log'),
  );
  expect(causes).toEqual(['n1: disk full', 'n2: disk full', 'n1: no disk']);
});
