import { expect, test } from 'vitest';
import { at, type JsonObject } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import { stringMap, type KubeObject } from '#kube/object.ts';
import { after, podOf } from '#kube/workload/testing/objects.ts';
import { beginInPlace, progressInPlace, type InPlaceProgress } from './in-place.ts';
import { releasePodOf } from './pod-view.ts';

type Container = {
  /** In the spec. */
  readonly image: string;
  /** That runs; the same unless given. */
  readonly runs?: string;
  readonly restarts?: number;
  readonly isWaiting?: boolean;
  readonly isReady?: boolean;
};

function podWith(containers: Readonly<Record<string, Container>>, patch: JsonObject = {}): KubeObject {
  const entries = Object.entries(containers);
  return podOf({
    name: 'gd-a',
    labels: { 'controller-revision-hash': 'old', ...stringMap(at(patch, 'metadata', 'labels')) },
    annotations: stringMap(at(patch, 'metadata', 'annotations')),
    spec: { containers: entries.map(([name, { image }]) => ({ name, image })) },
    status: {
      containerStatuses: entries.map(
        ([name, { image, runs = image, restarts = 0, isWaiting, isReady = true }]) => ({
          name,
          image: runs,
          imageID: `sha-${runs}`,
          containerID: `${name}-${restarts}`,
          restartCount: restarts,
          state: isWaiting === true ? { waiting: {} } : { running: {} },
          ready: isReady,
        }),
      ),
    },
  });
}

const order = {
  revision: 'new',
  graceSeconds: 0,
  isHookDue: false,
  policy: 'DisOrdered',
  now: after(0),
} as const;
const begin = (pod: KubeObject, images: Readonly<Record<string, string>>, graceSeconds = 0): JsonObject =>
  beginInPlace(releasePodOf(pod), {
    ...order,
    graceSeconds,
    diff: { type: 'possible', images, metadata: {} },
  });
const progress = (pod: KubeObject, now = after(1)): InPlaceProgress =>
  progressInPlace(releasePodOf(pod), 600, now);

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
    'the same digest under another name, restarted',
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
  expect(progress(stuck, after(600))).toEqual({
    type: 'stuck',
    since: after(0),
    containers: ['a'],
    lack: 'replaced',
  });
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
  const patch = beginInPlace(releasePodOf(podWith(two)), {
    ...order,
    now,
    graceSeconds: 1,
    diff: { type: 'possible', images: both, metadata: {} },
  });
  expect(progress(podWith(two, patch), now)).toEqual({ type: 'grace', until: now + seconds(1) });
});

test('a rollback during the grace period goes back at once, since no container is replaced', () => {
  const waiting = podWith(two, begin(podWith(two), both, 30));
  const back = beginInPlace(releasePodOf(waiting), {
    ...order,
    revision: 'old',
    graceSeconds: 30,
    now: after(10),
    diff: { type: 'possible', images: { a: 'a:1', b: 'b:1' }, metadata: {} },
  });
  expect(at(back, 'metadata', 'annotations', 'inplace-update-grace')).toBeNull();
  expect(progress(podWith(two, back), after(10)).type).toBe('done');
});

test('a third revision during the grace period waits for what is left of it, and loses no image of the second', () => {
  const waiting = podWith(two, begin(podWith(two), both, 30));
  const third = beginInPlace(releasePodOf(waiting), {
    ...order,
    revision: 'third',
    graceSeconds: 30,
    now: after(10),
    diff: { type: 'possible', images: { a: 'a:3' }, metadata: {} },
  });
  const pod = podWith(two, third);
  expect(progress(pod, after(29))).toEqual({ type: 'grace', until: after(30) });
  expect(progress(pod, after(30))).toMatchObject({
    type: 'write',
    patch: {
      spec: {
        containers: [
          { name: 'a', image: 'a:3' },
          { name: 'b', image: 'b:2' },
        ],
      },
    },
  });
});

const three = { a: { image: 'a:1' }, b: { image: 'b:1' }, c: { image: 'c:1' } };
const all = { c: 'c:2', a: 'a:2', b: 'b:2' };
const inOrderOf = (policy: 'OrderedReady' | 'OrderedUpdated', graceSeconds = 0): JsonObject =>
  beginInPlace(releasePodOf(podWith(three)), {
    ...order,
    policy,
    graceSeconds,
    diff: { type: 'possible', images: all, metadata: {} },
  });
const imagesIn = (patch: unknown): unknown => at(patch as JsonObject, 'spec', 'containers');

test.for(['OrderedReady', 'OrderedUpdated'] as const)(
  '%s: containers are replaced one after another, as the pod lists them',
  (policy) => {
    const first = inOrderOf(policy);
    expect(imagesIn(first)).toEqual([{ name: 'a', image: 'a:2' }]);
    const replacing = podWith({ ...three, a: { image: 'a:2', runs: 'a:1' } }, first);
    expect(progress(replacing).type).toBe('replacing');
    const starting = podWith({ ...three, a: { image: 'a:2', restarts: 1, isReady: false } }, first);
    expect(progress(starting).type).toBe(policy === 'OrderedReady' ? 'replacing' : 'write');
    const second = progress(podWith({ ...three, a: { image: 'a:2', restarts: 1 } }, first));
    const patch = second.type === 'write' ? second.patch : {};
    expect(imagesIn(patch)).toEqual([{ name: 'b', image: 'b:2' }]);
    const done = { a: { image: 'a:2', restarts: 1 }, b: { image: 'b:2', restarts: 1 } };
    const third = progress(podWith({ ...three, ...done }, patch));
    const last = third.type === 'write' ? third.patch : {};
    expect(imagesIn(last)).toEqual([{ name: 'c', image: 'c:2' }]);
    expect(progress(podWith({ ...three, ...done, c: { image: 'c:2', runs: 'c:1' } }, last)).type).toBe(
      'replacing',
    );
    expect(progress(podWith({ ...done, c: { image: 'c:2', restarts: 1 } }, last)).type).toBe('done');
  },
);

test('the order holds after a grace period, and a container that never becomes ready is named', () => {
  const waiting = podWith(three, inOrderOf('OrderedReady', 30));
  const written = progress(waiting, after(30));
  const patch = written.type === 'write' ? written.patch : {};
  expect(imagesIn(patch)).toEqual([{ name: 'a', image: 'a:2' }]);
  const ill = podWith({ ...three, a: { image: 'a:2', restarts: 1, isReady: false } }, patch);
  expect(progress(ill, after(629)).type).toBe('replacing');
  expect(progress(ill, after(630))).toMatchObject({ type: 'stuck', containers: ['a'], lack: 'ready' });
});

test('another revision in the middle of an ordered update loses no image', () => {
  const first = inOrderOf('OrderedUpdated');
  const pod = podWith({ ...three, a: { image: 'a:2', runs: 'a:1' } }, first);
  const patch = beginInPlace(releasePodOf(pod), {
    ...order,
    revision: 'third',
    diff: { type: 'possible', images: { a: 'a:3' }, metadata: {} },
  });
  expect(imagesIn(patch)).toEqual(
    expect.arrayContaining([
      { name: 'a', image: 'a:3' },
      { name: 'b', image: 'b:2' },
      { name: 'c', image: 'c:2' },
    ]),
  );
  expect(at(patch, 'metadata', 'annotations', 'boathook.dev/in-place-next')).toBeNull();
});
