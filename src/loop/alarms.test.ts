import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant, millis } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { Alarms } from './alarms.ts';

const key = fc.integer({ min: 0, max: 300 }).map(String);
const step = fc.oneof(
  fc.record({ type: fc.constant('set' as const), key, after: fc.nat(1000), priority: fc.nat(3) }),
  fc.record({ type: fc.constant('cancel' as const), key }),
  fc.record({ type: fc.constant('pass' as const), span: fc.nat(200) }),
);

test('alarms ring in order, once, at the earliest time and the highest priority wished for', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 800, size: 'max' }), (steps) => {
      const clock = manualClock(0);
      const rung: string[] = [];
      const alarms = new Alarms(clock, (name, priority) => rung.push(`${clock.now()} ${name} ${priority}`));
      const wanted = new Map<string, { at: number; priority: number }>();
      for (const each of steps) {
        rung.length = 0;
        if (each.type === 'set') {
          alarms.set(each.key, millis(each.after), each.priority);
          const known = wanted.get(each.key);
          const at = Math.min(known?.at ?? Infinity, clock.now() + each.after);
          wanted.set(each.key, { at, priority: Math.max(known?.priority ?? 0, each.priority) });
        } else if (each.type === 'cancel') {
          alarms.cancel(each.key);
          wanted.delete(each.key);
        } else {
          clock.advance(millis(each.span));
          const due = [...wanted].filter(([, { at }]) => at <= clock.now());
          for (const [name] of due) wanted.delete(name);
          expect([...rung].sort()).toEqual(
            due.map(([name, { at, priority }]) => `${at} ${name} ${priority}`).sort(),
          );
          const times = rung.map((text) => Number(text.split(' ')[0]));
          expect(times).toEqual([...times].sort((left, right) => left - right));
        }
      }
    }),
  );
});

test('alarms of one instant ring in the order in which they were set', () => {
  const clock = manualClock(0);
  const rung: string[] = [];
  const alarms = new Alarms(clock, (name) => rung.push(name));
  for (const name of ['c', 'a', 'b', 'd']) alarms.set(name, millis(10), 0);
  alarms.set('e', millis(5), 0);
  clock.advance(millis(10));
  expect(rung).toEqual(['e', 'c', 'a', 'b', 'd']);
});

test('nothing rings after everything was cleared', () => {
  const clock = manualClock(0);
  const rung: string[] = [];
  const alarms = new Alarms(clock, (name) => rung.push(name));
  alarms.set('a', millis(10), 0);
  alarms.clear();
  clock.advance(millis(100));
  alarms.set('b', millis(1), 0);
  clock.advance(millis(1));
  expect(rung).toEqual(['b']);
});

test('a clock that is set back does not delay alarms for as long', () => {
  const real = manualClock(0);
  let shift = 10_000_000;
  const clock = { ...real, now: () => instant(real.now() + shift) };
  const rung: string[] = [];
  const alarms = new Alarms(clock, (name) => rung.push(`${real.now()} ${name}`));
  alarms.set('a', millis(5000), 0);
  alarms.set('b', millis(1_000_000), 0);
  real.advance(millis(1000));
  shift -= 3_600_000;
  alarms.set('c', millis(2000), 0);
  real.advance(millis(600_000));
  expect(rung).toEqual(['3000 c', '6000 a']);
  shift -= 3_600_000;
  real.advance(millis(1_400_000));
  expect(rung).toHaveLength(3);
});
