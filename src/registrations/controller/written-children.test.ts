import { expect, test } from 'vitest';
import { instant, later, seconds, type Instant } from '#base/time.ts';
import { WrittenChildren } from './written-children.ts';

const childOf = (resourceVersion: string) => ({
  metadata: {
    uid: 'child',
    resourceVersion,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Owner', name: 'owner', uid: 'owner', controller: true }],
  },
});

function written(version: string, position: string) {
  const state: { position: string; now: Instant } = { position, now: instant(0) };
  const children = new WrittenChildren({ now: () => state.now } as ConstructorParameters<
    typeof WrittenChildren
  >[0]);
  children.note(childOf(version), () => state.position);
  return {
    passed: (): number => children.passed().length,
    isThere: (): boolean => children.over('owner', []).length > 0,
    reach: (next: string): void => void (state.position = next),
    pass: (): void => void (state.now = later(state.now, seconds(31))),
  };
}

test('a child that the informer has not received yet is there, however long that takes', () => {
  const { isThere, pass } = written('20', '10');
  pass();
  expect(isThere()).toBe(true);
});

test.for(['20', '21'])('a child that an informer at position %s does not show is gone', (position) => {
  const { isThere, reach } = written('20', '10');
  reach(position);
  expect(isThere()).toBe(false);
});

test('a child counts as passed when the informer has received everything up to it', () => {
  const { passed, reach } = written('20', '10');
  expect(passed()).toBe(0);
  reach('21');
  expect(passed()).toBe(1);
});

test('where versions cannot be compared, half a minute decides', () => {
  const { isThere, pass } = written('a1', 'a0');
  expect(isThere()).toBe(true);
  pass();
  expect(isThere()).toBe(false);
});
