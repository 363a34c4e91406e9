import { describe, expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { planImages } from './plan-images.ts';
import { planRestart } from './plan-restart.ts';
import { planUndo } from './plan-undo.ts';
import { whatFollows } from './what-follows.ts';

const template = (image: string): JsonObject => ({
  metadata: { labels: { app: 'shop' } },
  spec: {
    initContainers: [{ name: 'prepare', image: 'busybox:1' }],
    containers: [
      { name: 'shop', image, command: ['serve'] },
      { name: 'sidecar', image: 'envoy:1' },
    ],
  },
});

const shop = (image: string, strategy: JsonObject = {}, status: JsonObject = {}): KubeObject => ({
  kind: 'GameDeployment',
  metadata: { name: 'shop' },
  spec: { template: template(image), updateStrategy: strategy },
  status,
});

const imagesOf = (each: JsonObject): readonly string[] =>
  ['initContainers', 'containers'].flatMap((list) =>
    listAt(each, 'spec', list).map((container) => textAt(container, 'image') ?? ''),
  );

describe('set image', () => {
  const plan = (...images: readonly (readonly [string, string])[]) =>
    planImages(shop('python:3.5'), new Map(images), 'gd/shop');

  test('changes the named containers, init containers too, and nothing else', () => {
    const planned = plan(['shop', 'python:3.6'], ['prepare', 'busybox:2']);
    expect(planned).toMatchObject({
      type: 'change',
      summary: 'images set: prepare: busybox:1 -> busybox:2, shop: python:3.5 -> python:3.6',
    });
    const changed = planned.type === 'change' ? planned.template : {};
    expect(imagesOf(changed)).toEqual(['busybox:2', 'python:3.6', 'envoy:1']);
    expect(changed).toMatchObject({
      metadata: { labels: { app: 'shop' } },
      spec: { containers: [{ command: ['serve'] }, {}] },
    });
  });

  test('* is all of them, and a name counts more', () => {
    const planned = plan(['*', 'all:1'], ['shop', 'python:3.6']);
    expect(imagesOf(planned.type === 'change' ? planned.template : {})).toEqual([
      'all:1',
      'python:3.6',
      'all:1',
    ]);
  });

  test('the same images are nothing to do', () => {
    expect(plan(['shop', 'python:3.5'])).toMatchObject({ type: 'nothing' });
  });

  test('a container that is not there is named, with what was probably meant', () => {
    expect(plan(['shpo', 'python:3.6'])).toEqual({
      type: 'invalid',
      message: 'gd/shop has no container shpo: it has prepare, shop, sidecar; did you mean shop?',
    });
  });
});

describe('undo', () => {
  const revision = (number: number, image: string): KubeObject => ({
    metadata: { name: `shop-${number}` },
    data: { spec: { template: { ...template(image), $patch: 'replace' } } },
    revision: number,
  });
  const known = [revision(3, 'python:3'), revision(1, 'python:1'), revision(2, 'python:2')];
  const plan = (image: string, wanted?: number, status: JsonObject = {}) => {
    const planned = planUndo(shop(image, {}, status), known, wanted, 'gd/shop');
    return planned.type === 'change'
      ? `${planned.revision ?? ''} ${imagesOf(planned.template)[1] ?? ''} ${planned.summary}`
      : `${planned.type}: ${planned.message}`;
  };

  test.for<[string, string, number | undefined, string | undefined, string]>([
    [
      'the one before',
      'python:3',
      undefined,
      undefined,
      'shop-2 python:2 template set back to revision 2 (shop: python:3 -> python:2)',
    ],
    [
      'the newest, for a template without a revision',
      'python:4',
      undefined,
      undefined,
      'shop-3 python:3 template set back to revision 3 (shop: python:4 -> python:3)',
    ],
    [
      'the stable one during a release',
      'python:3',
      undefined,
      'shop-1',
      'shop-1 python:1 template set back to revision 1 (shop: python:3 -> python:1)',
    ],
    [
      'the one before, when the stable one is the present one',
      'python:3',
      undefined,
      'shop-3',
      'shop-2 python:2 template set back to revision 2 (shop: python:3 -> python:2)',
    ],
    [
      'a number',
      'python:3',
      1,
      'shop-2',
      'shop-1 python:1 template set back to revision 1 (shop: python:3 -> python:1)',
    ],
    [
      'the present one',
      'python:3',
      3,
      undefined,
      'nothing: the template of gd/shop is that of revision 3 already, so nothing was changed',
    ],
    [
      'a number that is not there',
      'python:3',
      7,
      undefined,
      'refused: gd/shop has no revision 7: it has 1, 2, 3',
    ],
  ])('%s', ([, image, wanted, stable, expected]) => {
    const status = stable === undefined ? {} : { canary: { revision: stable } };
    expect(plan(image, wanted, status)).toBe(expected);
  });

  test('without another revision there is nothing to go back to', () => {
    expect(planUndo(shop('python:3'), [revision(3, 'python:3')], undefined, 'gd/shop')).toEqual({
      type: 'refused',
      message: 'gd/shop has no other revision to go back to',
    });
  });
});

describe('restart', () => {
  test('adds an annotation to the template', () => {
    const planned = planRestart(shop('python:3'), '2026-01-05T12:00:00Z', 'gd/shop');
    expect(planned.type === 'change' ? planned.template : {}).toEqual({
      ...template('python:3'),
      metadata: {
        labels: { app: 'shop' },
        annotations: { 'boathook.dev/restartedAt': '2026-01-05T12:00:00Z' },
      },
    });
  });

  test.for(['InplaceUpdate', 'HotPatchUpdate'])('is refused for %s, which keeps the pods', (type) => {
    expect(planRestart(shop('python:3', { type }), '', 'gd/shop')).toMatchObject({ type: 'refused' });
  });
});

test.for<[JsonObject, JsonObject, string]>([
  [{}, {}, 'Pods are updated now.'],
  [{ type: 'OnDelete' }, {}, 'Pods take it when they are deleted.'],
  [{ canary: { steps: [{ pause: {} }, { partition: 0 }] } }, {}, 'A release starts at step 1/2.'],
  [
    { canary: { steps: [{ pause: {} }] } },
    { canary: { revision: 'shop-1' } },
    'This is the stable revision: pods return to it without steps.',
  ],
  [
    { paused: true },
    { pauseConditions: [{ reason: 'PausedByUser' }] },
    'gd/shop is paused by a user: pods are updated after boathook release resume gd/shop.',
  ],
])('%o: what follows', ([strategy, status, expected]) => {
  expect(whatFollows(shop('python:3', strategy, status), 'shop-1', 'gd/shop')).toBe(expected);
});
