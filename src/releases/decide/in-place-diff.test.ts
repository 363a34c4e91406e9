import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { inPlaceDiff, type InPlaceDiff } from './in-place-diff.ts';

const template = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({ metadata, spec });
const one = template({
  containers: [
    { name: 'a', image: 'a:1' },
    { name: 'b', image: 'b:1' },
  ],
});

const restarted: JsonObject = { annotations: { 'boathook.dev/restartedAt': '2026-01-05T12:00:00Z' } };

test.for<readonly [string, JsonObject, JsonObject, InPlaceDiff]>([
  ['nothing', one, one, { type: 'possible', images: {}, metadata: {} }],
  [
    'one image',
    one,
    template({
      containers: [
        { name: 'a', image: 'a:2' },
        { name: 'b', image: 'b:1' },
      ],
    }),
    { type: 'possible', images: { a: 'a:2' }, metadata: {} },
  ],
  [
    'labels and annotations',
    template({}, { labels: { app: 'x', old: 'y' }, annotations: { note: '1' } }),
    template({}, { labels: { app: 'z' }, annotations: { note: '1', more: '2' } }),
    {
      type: 'possible',
      images: {},
      metadata: { labels: { old: null, app: 'z' }, annotations: { more: '2' } },
    },
  ],
  [
    'a restart',
    template({}, { annotations: { note: '1' } }),
    template({}, { annotations: { note: '1', 'boathook.dev/restartedAt': '2026-01-05T12:00:00Z' } }),
    { type: 'impossible', field: 'metadata.annotations' },
  ],
  [
    'another image after a restart',
    template({ containers: [{ name: 'a', image: 'a:1' }] }, restarted),
    template({ containers: [{ name: 'a', image: 'a:2' }] }, restarted),
    { type: 'possible', images: { a: 'a:2' }, metadata: {} },
  ],
  [
    'an environment variable',
    one,
    template({
      containers: [
        { name: 'a', image: 'a:2', env: [] },
        { name: 'b', image: 'b:1' },
      ],
    }),
    { type: 'impossible', field: 'spec.containers[0].env' },
  ],
  [
    'one container more',
    one,
    template({ containers: [{ name: 'a', image: 'a:1' }] }),
    { type: 'impossible', field: 'spec.containers' },
  ],
  [
    'containers in another order',
    one,
    template({
      containers: [
        { name: 'b', image: 'b:1' },
        { name: 'a', image: 'a:1' },
      ],
    }),
    { type: 'impossible', field: 'spec.containers[0].name' },
  ],
  [
    'an image of an init container',
    template({ initContainers: [{ name: 'i', image: 'i:1' }] }),
    template({ initContainers: [{ name: 'i', image: 'i:2' }] }),
    { type: 'impossible', field: 'spec.initContainers[0].image' },
  ],
  [
    'a finalizer',
    template({}, { finalizers: ['x'] }),
    template({}),
    { type: 'impossible', field: 'metadata.finalizers' },
  ],
  [
    'the moment of making',
    template({}, { creationTimestamp: null }),
    template({}),
    { type: 'possible', images: {}, metadata: {} },
  ],
])('%s', ([, old, next, diff]) => {
  expect(inPlaceDiff(old, next)).toEqual(diff);
});
