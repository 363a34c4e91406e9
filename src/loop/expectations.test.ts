import { expect, test } from 'vitest';
import { millis, minutes, seconds } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { createExpectations } from './expectations.ts';

function open() {
  const clock = manualClock(0);
  const expectations = createExpectations(clock);
  return { clock, expectations, pending: (): number => expectations.pending('key') };
}

test('nothing is expected of an unknown key', () => {
  const { expectations, pending } = open();
  expectations.creationSeen('key');
  expectations.deletionSeen('key', 'uid');
  expect(pending()).toBe(0);
});

test('creations are counted, deletions known by uid', () => {
  const { expectations, pending } = open();
  expectations.expectCreations('key', 2);
  expectations.expectDeletions('key', ['x', 'y']);
  expectations.creationSeen('key');
  expectations.creationSeen('key');
  expectations.creationSeen('key');
  expect(pending()).toBe(minutes(5));
  expectations.deletionSeen('key', 'z');
  expectations.deletionSeen('key', 'x');
  expectations.deletionSeen('key', 'x');
  expect(pending()).toBe(minutes(5));
  expectations.deletionSeen('key', 'y');
  expect(pending()).toBe(0);
  expectations.expectCreations('key', 1);
  expect(pending()).toBe(minutes(5));
});

test('the wait ends after five minutes, counted from the last expectation', () => {
  const { clock, expectations, pending } = open();
  expectations.expectCreations('key', 1);
  clock.advance(minutes(4));
  expect(pending()).toBe(minutes(1));
  expectations.expectDeletions('key', ['x']);
  clock.advance(minutes(4));
  expect(pending()).toBe(minutes(1));
  clock.advance(seconds(60));
  expect(pending()).toBe(0);
  expectations.expectCreations('key', 1);
  expectations.creationSeen('key');
  expect(pending()).toBe(millis(0));
});

test('keys do not meddle with each other, and can be forgotten', () => {
  const { expectations, pending } = open();
  expectations.expectCreations('key', 1);
  expectations.expectCreations('other', 1);
  expectations.creationSeen('other');
  expect(pending()).toBe(minutes(5));
  expectations.forget('key');
  expect(pending()).toBe(0);
});
