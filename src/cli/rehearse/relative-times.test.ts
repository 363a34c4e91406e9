import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import { relativeOutcome } from './relative-times.ts';

const started = instant(Date.UTC(2026, 0, 5, 12, 0, 4) + 200);

test.for([
  ['Step 3/6 pauses until 2026-01-05T12:12:08Z.', 'Step 3/6 pauses until 12:04.'],
  ['pauses until 2026-01-05T14:00:04Z', 'pauses until 2:00:00'],
  ['not ready since 2026-01-05T12:00:04Z', 'not ready since 0:00'],
  ['not ready since 2026-01-05T11:59:59Z', 'not ready since 2026-01-05T11:59:59Z'],
  ['the reply was 2026-01-05T12:12:08Z', 'the reply was 2026-01-05T12:12:08Z'],
] as const)('%s', ([message, relative]) => {
  const waits = { type: 'WaitsForUser', step: 3 } as const;
  expect(relativeOutcome({ ...waits, message }, started)).toEqual({ ...waits, message: relative });
  const stops = { type: 'Stops', reason: 'Paused' } as const;
  expect(relativeOutcome({ ...stops, message, remedies: [message] }, started)).toEqual({
    ...stops,
    message: relative,
    remedies: [relative],
  });
});
