import { expect, test } from 'vitest';
import { millis, minutes, seconds } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import type { KubeObject } from '#kube/object.ts';
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

test('a clock that is set neither shortens nor lengthens the wait', () => {
  const [set, steady] = [manualClock(0), manualClock(0)];
  const expectations = createExpectations({ ...set, steady: () => steady.now() });
  expectations.expectCreations('key', ['']);
  set.advance(minutes(6));
  expect(expectations.pending('key')).toBe(minutes(5));
  steady.advance(minutes(4));
  expect(expectations.pending('key')).toBe(minutes(1));
  steady.advance(minutes(1));
  expect(expectations.pending('key')).toBe(0);
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

const pod = (name: string, version: string, more: KubeObject = {}): KubeObject => ({
  metadata: { namespace: 'n', name, uid: `uid-${name}`, resourceVersion: version, ...more },
});

/** Expectations of the key `n/set` beside what an informer shows. */
function follow() {
  const expectations = createExpectations(manualClock(0));
  const ended: string[] = [];
  const shown = new Map<string, KubeObject>();
  const listeners = new Set<() => void>();
  let at = '10';
  const stop = expectations.follow(
    {
      get: (_namespace, name) => shown.get(name),
      position: (namespace) => (namespace === 'n' ? at : ''),
      onList(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    (key) => ended.push(key),
  );
  return {
    expectations,
    ended,
    shown,
    stop,
    pending: (): number => expectations.pending('n/set'),
    reach: (version: string) => (at = version),
    list: (version: string) => {
      at = version;
      for (const listener of listeners) listener();
    },
  };
}

test('a list that is newer than a creation and does not have its object ends the wait, and the key is reported', () => {
  const { expectations, pending, list, ended } = follow();
  expectations.expectCreations('n/set', ['a', 'b']);
  expectations.created('n/set', pod('a', '12'));
  expectations.created('n/set', pod('b', '13'));
  list('11');
  expect([pending(), ended]).toEqual([minutes(5), []]);
  list('12');
  expect([pending(), ended]).toEqual([minutes(5), []]);
  list('15');
  expect([pending(), ended]).toEqual([0, ['n/set']]);
});

test('a list before the answer tells nothing, and the answer then ends the wait', () => {
  const { expectations, pending, list, ended } = follow();
  expectations.expectCreations('n/set', ['a']);
  list('20');
  expect([pending(), ended]).toEqual([minutes(5), []]);
  expectations.created('n/set', pod('a', '12'));
  expect([pending(), ended]).toEqual([0, ['n/set']]);
});

test('an object that was seen before its answer ends the wait, and no key is reported', () => {
  const { expectations, pending, reach, ended } = follow();
  expectations.expectCreations('n/set', ['a']);
  reach('12');
  expectations.creationSeen('n/set', 'a');
  expectations.created('n/set', pod('a', '12'));
  expect([pending(), ended]).toEqual([0, []]);
});

test('what cannot be compared waits for the timeout', () => {
  const { expectations, pending, list } = follow();
  expectations.expectCreations('n/set', ['opaque', 'restored']);
  expectations.created('n/set', pod('opaque', 'x12'));
  // Not newer than what was known before: the store was restored.
  expectations.created('n/set', pod('restored', '9'));
  list('20');
  expect(pending()).toBe(minutes(5));
});

test('a deletion that was seen before it was expected is no wait', () => {
  const { expectations, pending, shown } = follow();
  shown.set('a', pod('a', '10'));
  shown.set('b', pod('b', '10', { deletionTimestamp: '2026-01-05T12:00:00Z' }));
  expectations.expectDeletions('n/set', ['uid-a', 'uid-b', 'uid-c']);
  for (const name of ['b', 'c']) expectations.deleted('n/set', pod(name, '10'));
  expectations.deleted('n/set', pod('a', '10'));
  expect(pending()).toBe(minutes(5));
  expectations.deletionSeen('n/set', 'uid-a');
  expect(pending()).toBe(0);
});

test('an object that was adopted and deleted before a list is gone from the list, and its key is reported', () => {
  const { expectations, pending, shown, list, ended } = follow();
  shown.set('a', pod('a', '10'));
  expectations.expectDeletions('n/set', ['uid-a', 'uid-b']);
  list('11');
  expectations.deleted('n/set', pod('a', '10'));
  expect(pending()).toBe(minutes(5));
  shown.delete('a');
  list('20');
  // The server has not answered the deletion of the other one.
  expect(pending()).toBe(minutes(5));
  expect(ended).toEqual([]);
  shown.set('b', pod('b', '15'));
  expectations.deleted('n/set', pod('b', '15'));
  shown.delete('b');
  list('30');
  expect(pending()).toBe(0);
  expect(ended).toEqual(['n/set']);
});

test('no key is reported after the end', () => {
  const { expectations, list, ended, stop } = follow();
  expectations.expectCreations('n/set', ['a']);
  expectations.created('n/set', pod('a', '12'));
  stop();
  list('20');
  expect(ended).toEqual([]);
});
