import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import type { ReleaseVerdict } from '#releases/decide/view/release-verdict.ts';
import { statusExit } from './status-exit.ts';

const verdicts: readonly (readonly [ReleaseVerdict, number | undefined, number | undefined])[] = [
  [{ type: 'complete' }, 0, 0],
  [{ type: 'failed' }, 1, 1],
  [{ type: 'waiting' }, 4, 4],
  [{ type: 'timed-pause', until: instant(20) }, 4, undefined],
  [{ type: 'blocked-for-now', failsAt: instant(20) }, 1, undefined],
  [{ type: 'blocked-for-now', failsAt: instant(10) }, 1, 1],
  [{ type: 'progressing' }, undefined, undefined],
];

test.for(verdicts)('%j: %s at once, %s while it is watched', ([verdict, atOnce, watched]) => {
  const now = instant(10);
  expect(statusExit(verdict, { isWatching: false, now })).toBe(atOnce);
  expect(statusExit(verdict, { isWatching: true, now })).toBe(watched);
});
