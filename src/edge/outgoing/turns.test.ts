import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

function world(atOnce: number) {
  const turns = createTurns(atOnce);
  const started: string[] = [];
  const take = (name: string): (() => void) => turns.take(() => started.push(name));
  return { turns, started, take };
}

test('who comes later waits, in order', () => {
  const { turns, started, take } = world(2);
  const [a, b, c] = ['a', 'b', 'c'].map(take);
  take('d');
  expect(started).toEqual(['a', 'b']);
  expect(turns).toMatchObject({ busy: 2, waiting: 2 });
  b?.();
  expect(started).toEqual(['a', 'b', 'c']);
  a?.();
  c?.();
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  expect(turns).toMatchObject({ busy: 1, waiting: 0 });
});

test('who gives up waiting takes no turn, and ending twice ends once', () => {
  const { turns, started, take } = world(1);
  const [a, b] = ['a', 'b'].map(take);
  take('c');
  b?.();
  a?.();
  a?.();
  expect(started).toEqual(['a', 'c']);
  expect(turns).toMatchObject({ busy: 1, waiting: 0 });
});
