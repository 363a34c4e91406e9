import { expect, test } from 'vitest';
import { callEntries } from './call-entries.ts';
import type { RehearsedHook } from './rehearsal-report.ts';

/** A letter for each call: p passes, f fails. */
const hookOf = (calls: string): RehearsedHook => ({
  name: 'run',
  template: 'check',
  point: 'canary-step',
  step: 1,
  phase: 'Failed',
  message: '',
  calls: calls.split('').map((letter, at) => ({
    at,
    metric: 'm',
    phase: letter === 'p' ? 'Successful' : 'Failed',
    value: String(at),
  })),
});

test('ten calls are shown', () => {
  expect(callEntries(hookOf('pppppppppf')).map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test.for([
  { calls: 'pppppppppppf', says: '4 more calls, all of them passed', tone: 'good' },
  { calls: 'pppfpfpppppf', says: '4 more calls, 2 of them did not pass', tone: 'bad' },
])('of $calls the first and the last are shown, and how many are not', ({ calls, says, tone }) => {
  const entries = callEntries(hookOf(calls));
  expect(entries.map(({ at }) => at)).toEqual([0, 1, 2, 3, 7, 8, 9, 10, 11]);
  expect(entries[3]).toMatchObject({ tone, text: `hook check: ${says} (-o json has each)` });
  expect(entries.at(-1)?.text).toBe('hook check, m: 11 Failed');
});
