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
  expectations.creationSeen('key', '');
  expectations.deletionSeen('key', 'uid');
  expect(pending()).toBe(0);
});

test('creations are counted, deletions known by uid', () => {
  const { expectations, pending } = open();
  expectations.expectCreations('key', ['', '']);
  expectations.expectDeletions('key', ['x', 'y']);
  expectations.creationSeen('key', '');
  expectations.creationSeen('key', '');
  expectations.creationSeen('key', '');
  expect(pending()).toBe(minutes(5));
  expectations.deletionSeen('key', 'z');
  expectations.deletionSeen('key', 'x');
  expectations.deletionSeen('key', 'x');
  expect(pending()).toBe(minutes(5));
  expectations.deletionSeen('key', 'y');
  expect(pending()).toBe(0);
  expectations.expectCreations('key', ['']);
  expect(pending()).toBe(minutes(5));
});

test('the wait ends after five minutes, counted from the last expectation', () => {
  const { clock, expectations, pending } = open();
  expectations.expectCreations('key', ['']);
  clock.advance(minutes(4));
  expect(pending()).toBe(minutes(1));
  expectations.expectDeletions('key', ['x']);
  clock.advance(minutes(4));
  expect(pending()).toBe(minutes(1));
  clock.advance(seconds(60));
  expect(pending()).toBe(0);
  expectations.expectCreations('key', ['']);
  expectations.creationSeen('key', '');
  expect(pending()).toBe(millis(0));
});

test('keys do not meddle with each other, and can be forgotten', () => {
  const { expectations, pending } = open();
  expectations.expectCreations('key', ['']);
  expectations.expectCreations('other', ['']);
  expectations.creationSeen('other', '');
  expect(pending()).toBe(minutes(5));
  expectations.forget('key');
  expect(pending()).toBe(0);
});

test('the late event of a creation that seemed to fail is not taken for that of another one', () => {
  const { expectations, pending } = open();
  expectations.expectCreations('key', ['a', 'b']);
  // The answer to the creation of a was lost.
  expectations.creationSeen('key', 'a');
  expectations.creationSeen('key', 'a');
  expect(pending()).toBe(minutes(5));
  expectations.creationSeen('key', 'b');
  expect(pending()).toBe(0);
});
