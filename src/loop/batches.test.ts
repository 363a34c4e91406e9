import { expect, test } from 'vitest';
import { instant, millis } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { Batches } from './batches.ts';

test('the first is sent at once, those that follow closely are sent together', () => {
  const clock = manualClock(1000);
  const batches = new Batches(clock, millis(40));
  const gone: string[] = [];
  const add = (name: string): void => batches.add(() => gone.push(`${name} ${clock.now()}`));
  add('a');
  expect(gone).toEqual(['a 1000']);
  clock.advance(millis(10));
  add('b');
  clock.advance(millis(20));
  add('c');
  clock.advance(millis(100));
  add('d');
  expect(gone).toEqual(['a 1000', 'b 1040', 'c 1040', 'd 1130']);
});

test('a clock that is set back holds nothing up', () => {
  const base = manualClock(7_200_000);
  let behind = 0;
  const batches = new Batches({ ...base, now: () => instant(base.now() - behind) }, millis(40));
  const gone: string[] = [];
  const add = (name: string): void => batches.add(() => gone.push(`${name} ${base.now() - 7_200_000}`));
  add('a');
  behind = 3_600_000;
  add('b');
  base.advance(millis(30));
  add('c');
  base.advance(millis(100));
  add('d');
  expect(gone).toEqual(['a 0', 'b 40', 'c 40', 'd 130']);
});

test('what waits when it closes is dropped', () => {
  const clock = manualClock(0);
  const batches = new Batches(clock, millis(40));
  const gone: string[] = [];
  batches.add(() => gone.push('a'));
  batches.add(() => gone.push('b'));
  batches.close();
  clock.advance(millis(1000));
  expect(gone).toEqual(['a']);
});
