import { expect, test } from 'vitest';
import { at, type JsonObject } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import { stringMap, type KubeObject } from '#kube/object.ts';
import { after, podOf } from '#kube/workload/objects-for-tests.ts';
import { beginInPlace, progressInPlace, type InPlaceProgress } from './in-place.ts';
import { viewOf } from './pod-view.ts';

type Container = {
  /** In the spec. */
  readonly image: string;
  /** That runs; the same unless given. */
  readonly runs?: string;
  readonly restarts?: number;
  readonly isWaiting?: boolean;
};

function podWith(containers: Readonly<Record<string, Container>>, patch: JsonObject = {}): KubeObject {
  const entries = Object.entries(containers);
  return podOf({
    name: 'gd-a',
    labels: { 'controller-revision-hash': 'old', ...stringMap(at(patch, 'metadata', 'labels')) },
    annotations: stringMap(at(patch, 'metadata', 'annotations')),
    spec: { containers: entries.map(([name, { image }]) => ({ name, image })) },
    status: {
      containerStatuses: entries.map(([name, { image, runs = image, restarts = 0, isWaiting }]) => ({
        name,
        image: runs,
        imageID: `sha-${runs}`,
        containerID: `${name}-${restarts}`,
        restartCount: restarts,
        state: isWaiting === true ? { waiting: {} } : { running: {} },
      })),
    },
  });
}

const order = { revision: 'new', graceSeconds: 0, isHookDue: false, now: after(0) };
const begin = (pod: KubeObject, images: Readonly<Record<string, string>>, graceSeconds = 0): JsonObject =>
  beginInPlace(viewOf(pod), { ...order, graceSeconds, diff: { type: 'possible', images, metadata: {} } });
const progress = (pod: KubeObject, now = after(1)): InPlaceProgress => progressInPlace(viewOf(pod), 600, now);

const two = { a: { image: 'a:1' }, b: { image: 'b:1' } };
const both = { a: 'a:2', b: 'b:2' };

test.for<readonly [string, Readonly<Record<string, Container>>, InPlaceProgress['type']]>([
  [
    'nothing has happened',
    { a: { image: 'a:2', runs: 'a:1' }, b: { image: 'b:2', runs: 'b:1' } },
    'replacing',
  ],
  ['one of two', { a: { image: 'a:2', restarts: 1 }, b: { image: 'b:2', runs: 'b:1' } }, 'replacing'],
  ['both, and one does not run', { a: { image: 'a:2' }, b: { image: 'b:2', isWaiting: true } }, 'replacing'],
  ['both run', { a: { image: 'a:2', restarts: 1 }, b: { image: 'b:2', restarts: 1 } }, 'done'],
  ['a container is missing', { a: { image: 'a:2' } }, 'replacing'],
  [
    'the same digest under another name, restarted (G7)',
    { a: { image: 'a:2', runs: 'a:1', restarts: 1 }, b: { image: 'b:2' } },
    'done',
  ],
])('%s', ([, containers, type]) => {
  expect(progress(podWith(containers, begin(podWith(two), both))).type).toBe(type);
});

test('an update that was begun has a deadline', () => {
  const stuck = podWith(
    { a: { image: 'a:2', runs: 'a:1' } },
    begin(podWith({ a: { image: 'a:1' } }), { a: 'a:2' }),
  );
  expect(progress(stuck, after(599))).toEqual({ type: 'replacing', deadline: after(600) });
  expect(progress(stuck, after(600))).toEqual({ type: 'stuck', since: after(0), containers: ['a'] });
});

test('a grace period ends with the write of the images', () => {
  const waiting = podWith(two, begin(podWith(two), both, 30));
  expect(progress(waiting, after(29))).toEqual({ type: 'grace', until: after(30) });
  const due = progress(waiting, after(30));
  expect(due.type === 'write' && at(due.patch, 'spec', 'containers')).toEqual([
    { name: 'a', image: 'a:2' },
    { name: 'b', image: 'b:2' },
  ]);
});

test('set back within the grace period: nothing will be restarted, and nobody waits for it', () => {
  const waiting = podWith({ a: { image: 'a:1' } }, begin(podWith({ a: { image: 'a:1' } }), { a: 'a:2' }, 30));
  const back = podWith({ a: { image: 'a:1' } }, begin(waiting, { a: 'a:1' }));
  expect(progress(back).type).toBe('done');
});

test('set back before the node has noticed', () => {
  const changed = podWith(
    { a: { image: 'a:2', runs: 'a:1' } },
    begin(podWith({ a: { image: 'a:1' } }), { a: 'a:2' }),
  );
  const back = podWith({ a: { image: 'a:1' } }, begin(changed, { a: 'a:1' }));
  expect(progress(back).type).toBe('done');
});

test('a change of labels does not end the wait for a container that is being replaced', () => {
  const changed = podWith(
    { a: { image: 'a:2', runs: 'a:1' } },
    begin(podWith({ a: { image: 'a:1' } }), { a: 'a:2' }),
  );
  const labelled = begin(changed, {});
  expect(progress(podWith({ a: { image: 'a:2', runs: 'a:1' } }, labelled)).type).toBe('replacing');
  expect(progress(podWith({ a: { image: 'a:2', restarts: 1 } }, labelled)).type).toBe('done');
});

test('the beginning is noted to the microsecond, so that no grace period is shorter than it should be', () => {
  const now = after(0.5);
  const patch = beginInPlace(viewOf(podWith(two)), {
    ...order,
    now,
    graceSeconds: 1,
    diff: { type: 'possible', images: both, metadata: {} },
  });
  expect(progress(podWith(two, patch), now)).toEqual({ type: 'grace', until: now + seconds(1) });
});
