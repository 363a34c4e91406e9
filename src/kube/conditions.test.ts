import { describe, expect, test } from 'vitest';
import { parseTime } from '#base/time.ts';
import {
  appendCondition,
  conditionOf,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
  withTransitionTime,
  type Condition,
} from './conditions.ts';

const earlier = '2020-11-10T09:00:00Z';
const time = '2020-11-10T09:01:05Z';
const now = parseTime(time)!;

const ready: Condition = { type: 'Ready', status: 'True', reason: 'AllReady', message: 'all are ready' };
const stored = { ...ready, lastTransitionTime: earlier };
const other = { type: 'Other', status: 'Unknown', lastTransitionTime: earlier };

describe('the time of the transition', () => {
  test('stays while the status is the same, whatever the reason and the message are', () => {
    const next = { ...ready, reason: 'Enough', message: 'three of three' };
    expect(withTransitionTime(next, stored, now)).toEqual({ ...next, lastTransitionTime: earlier });
  });

  test('is now when the status changes, when the condition is new or when it had no time', () => {
    const moved = { ...ready, lastTransitionTime: time };
    expect(withTransitionTime(ready, { ...stored, status: 'False' }, now)).toEqual(moved);
    expect(withTransitionTime(ready, undefined, now)).toEqual(moved);
    expect(withTransitionTime(ready, { ...ready }, now)).toEqual(moved);
  });

  test('other fields are kept, and a given time only gives the place', () => {
    const next = { type: 'Ready', status: 'True', lastTransitionTime: '', observedGeneration: 3 };
    const after = withTransitionTime(next, stored, now);
    expect(after).toEqual({ ...next, lastTransitionTime: earlier });
    expect(Object.keys(after)).toEqual(Object.keys(next));
  });
});

test('a set condition takes the place of its predecessor, a new one goes to the end', () => {
  const failed = { ...ready, status: 'False' };
  const moved = { ...failed, lastTransitionTime: time };
  expect(setCondition([stored, other], failed, now)).toEqual([moved, other]);
  expect(setCondition([other], failed, now)).toEqual([other, moved]);
});

test('an appended condition with the same status and reason changes nothing', () => {
  const conditions = [stored, other];
  expect(appendCondition(conditions, { ...ready, message: 'another text' }, now)).toBe(conditions);
});

test('any other appended condition goes to the end', () => {
  const conditions = [stored, other];
  const reworded = { ...ready, reason: 'Enough' };
  expect(appendCondition(conditions, reworded, now)).toEqual([
    other,
    { ...reworded, lastTransitionTime: earlier },
  ]);
  const failed = { ...ready, status: 'False' };
  expect(appendCondition(conditions, failed, now)).toEqual([other, { ...failed, lastTransitionTime: time }]);
});

test('a removed condition is gone; without one the list is the very same', () => {
  const conditions = [stored, other];
  expect(removeCondition(conditions, 'Ready')).toEqual([other]);
  expect(removeCondition(conditions, 'Absent')).toBe(conditions);
});

test('a condition is found by its type', () => {
  const object = { status: { conditions: [null, other, stored] } };
  expect(conditionOf(object, 'Ready')).toBe(stored);
  expect(findCondition([other], 'Ready')).toBeUndefined();
  expect(isConditionTrue(object, 'Ready')).toBe(true);
  expect(isConditionTrue(object, 'Other')).toBe(false);
  expect(isConditionTrue({}, 'Ready')).toBe(false);
});
