import { expect, test } from 'vitest';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { millis } from '#base/time.ts';
import { startRedraw } from './redraw.ts';
import { TestScreen } from './testing/screen.ts';

function open(columns = 20, rows = 4) {
  const clock = manualClock(0);
  const screen = new TestScreen(columns, rows);
  const writes: string[] = [];
  let lines: readonly string[] = ['one', 'two'];
  const redraw = startRedraw(
    {
      write: (text) => {
        writes.push(text);
        screen.write(text);
      },
      size: () => ({ columns: screen.columns, rows: screen.rows }),
    },
    clock,
    () => lines,
  );
  const show = (...next: readonly string[]): void => {
    lines = next;
    redraw.changed();
  };
  return { clock, screen, writes, redraw, show };
}

test('frames are drawn over each other without a blank in between', () => {
  const { clock, screen, writes, show } = open();
  expect(screen).toMatchObject({ isAlternate: true, isCursorShown: false, doesWrap: false });
  show('one and more', 'zwei');
  clock.advance(millis(200));
  show('1');
  clock.advance(millis(200));
  expect(screen.frames.map(({ rows }) => rows)).toEqual([['one', 'two'], ['one and more', 'zwei'], ['1']]);
  expect(screen.faults).toEqual([]);
  // The first write prepares the terminal; each frame is one write.
  expect(writes).toHaveLength(4);
});

test('a frame that is the same is not drawn, and there are at most five in a second', () => {
  const { clock, screen, show } = open();
  for (let i = 0; i < 100; i += 1) {
    show(`change ${i}`);
    clock.advance(millis(10));
  }
  expect(screen.frames.length).toBeGreaterThan(3);
  expect(screen.frames.length).toBeLessThanOrEqual(6);
  clock.advance(millis(1000));
  const before = screen.frames.length;
  expect(screen.picture()).toEqual(['change 99']);
  show('change 99');
  clock.advance(millis(5000));
  expect(screen.frames).toHaveLength(before);
});

test('ages change without an event: each second the frame is made again', () => {
  const { clock, screen, redraw } = open();
  redraw.close();
  let second = 0;
  const size = (): { columns: number; rows: number } => ({ columns: 20, rows: 4 });
  const write = (text: string): void => screen.write(text);
  startRedraw({ write, size }, clock, () => [`age ${(second += 1)}`]);
  clock.advance(millis(3000));
  expect(screen.frames.slice(1).map(({ rows }) => rows[0])).toEqual(['age 1', 'age 2', 'age 3', 'age 4']);
});

test('a frame with more lines than the screen has rows does not scroll', () => {
  const { clock, screen, show } = open(20, 3);
  show('a', 'b', 'c', 'd', 'e');
  clock.advance(millis(200));
  expect(screen.picture()).toEqual(['a', 'b', 'c']);
  expect(screen.faults).toEqual([]);
});

test('the same frame is drawn again when the terminal was resized', () => {
  const { clock, screen, redraw } = open();
  screen.resize(10, 2);
  redraw.changed();
  clock.advance(millis(200));
  expect(screen.frames).toHaveLength(2);
});

test('the terminal is restored, and keeps the last frame', () => {
  const { clock, screen, redraw, show } = open();
  show('last');
  redraw.close();
  redraw.close();
  clock.advance(millis(5000));
  expect(screen).toMatchObject({
    isAlternate: false,
    isCursorShown: true,
    doesWrap: true,
    ordinary: 'last\n',
  });
});

test('a suspended view writes nothing, and is whole when it is resumed', () => {
  const { clock, screen, redraw, show, writes } = open();
  redraw.suspend();
  expect(screen).toMatchObject({ isAlternate: false, isCursorShown: true });
  const count = writes.length;
  show('new');
  clock.advance(millis(5000));
  expect(writes).toHaveLength(count);
  redraw.resume();
  expect(screen).toMatchObject({ isAlternate: true, isCursorShown: false });
  expect(screen.picture()).toEqual(['new']);
});
