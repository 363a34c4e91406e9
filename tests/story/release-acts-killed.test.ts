import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { nameOf } from '#kube/object.ts';
import type { ActVerb } from '#releases/model/act.ts';
import {
  actFor,
  actPatch,
  eventsOf,
  hook,
  isPausedAt,
  lastAct,
  recordsOf,
  releasing,
} from '../support/act.ts';
import type { GameWorld } from '../support/game-world.ts';
import { killedProcess } from '../support/killed-process.ts';

/** A release that pauses at a failed hook, then a request, and a controller that dies at a write of its own. */
async function killed(
  verb: ActVerb,
  write: number,
  when: 'before' | 'after',
): Promise<{ readonly world: GameWorld; readonly isDead: boolean; readonly id: string }> {
  const world = await releasing([{ partition: 3 }, hook, { pause: {} }, { pause: {} }]);
  world.answer(() => ({ age: 45 }));
  await world.until(isPausedAt(1));
  await world.stop();
  const workload = await world.workload();
  const request = actFor(workload, verb);
  await world.patch(actPatch(workload, request));
  const life = killedProcess(write, when);
  await world.control({ around: (direct) => life.around(direct) });
  await world.pass(5);
  await world.control();
  await world.pass(20);
  return { world, isDead: life.isDead, id: request.id };
}

const writes = [1, 2, 3, 4, 5, 6] as const;
const deaths = writes.flatMap((write) =>
  (['before', 'after'] as const).map((when) => [write, when] as const),
);

test.for(deaths)('killed at write %i, %s it: promote goes one step further', async ([write, when]) => {
  const { world: at, id } = await killed('promote', write, when);
  await using _world = at;
  const seen = await at.workload();
  expect(seen).toMatchObject({ status: { currentStepIndex: 2, phase: 'Paused' } });
  expect(lastAct(seen)).toMatchObject({ id, result: 'Done' });
  expect(recordsOf(seen)[0]).toMatchObject({ acts: [{ id, verb: 'promote' }] });
  expect(await eventsOf(at, 'ResumedPastFailedHook')).toEqual([]);
});

test.for(deaths)('killed at write %i, %s it: retry makes one more run', async ([write, when]) => {
  const { world: at, id } = await killed('retry', write, when);
  await using _world = at;
  const seen = await at.workload();
  const names = at.runs().map(nameOf);
  expect(names).toHaveLength(2);
  expect(names[1]).toBe(`${names[0]}-2`);
  expect(seen).toMatchObject({
    status: { currentStepIndex: 1, phase: 'Paused', canary: { retries: 1, currentStepHookRun: names[1] } },
  });
  expect(lastAct(seen)).toMatchObject({ id, result: 'Done' });
  expect(recordsOf(seen)[0]?.['acts']).toHaveLength(1);
});

test.for(deaths)('killed at write %i, %s it: abort takes the release back once', async ([write, when]) => {
  const { world: at, id } = await killed('abort', write, when);
  await using _world = at;
  const seen = await at.workload();
  expect(seen).toMatchObject({ status: { reason: 'Aborted', updatedReplicas: 0, readyReplicas: 4 } });
  expect(lastAct(seen)).toMatchObject({ id, result: 'Done' });
  expect(recordsOf(seen).map((record) => textAt(record, 'outcome'))).toEqual(['Aborted', 'Complete']);
});

test('the writes that were broken are all that decide a promotion', async () => {
  const { world: at, isDead } = await killed('promote', writes.length + 3, 'before');
  await using _world = at;
  expect(isDead).toBe(false);
});
