import { expect, test } from 'vitest';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { podOf, workloadOf } from '#kube/workload/testing/objects.ts';
import { claimOwned } from './owned.ts';
import { pods, replicaSets } from './resources.ts';
import { isStale } from './write.ts';

const owner = workloadOf('ReplicaSet', 'rs', { selector: { matchLabels: { app: 'x' } } });
const stray = withMeta(podOf({ name: 'stray' }), { resourceVersion: '7' });
const lost = withMeta(podOf({ name: 'lost', owner, labels: { app: 'y' } }), { resourceVersion: '8' });

const refused = (type: 'not-found' | 'invalid' | 'conflict'): Outcome => ({
  type,
  code: 400,
  message: 'no',
  status: {},
});

/** The names of what is owned afterwards, or how it failed; and the versions that were named. `found`: the object then. */
async function claimed(
  object: KubeObject,
  answer: Outcome,
  found: KubeObject = withMeta(object, { resourceVersion: '9' }),
): Promise<readonly unknown[]> {
  const named: unknown[] = [];
  const patch: KubeClient['patch'] = (_resource, _key, { body }) => {
    named.push((body as { metadata: { resourceVersion?: string } }).metadata.resourceVersion);
    return Promise.resolve(answer);
  };
  const get: KubeClient['get'] = (resource) =>
    Promise.resolve({ type: 'ok', object: resource === pods ? found : owner });
  const mine = podOf({ name: 'mine', owner });
  const { signal } = new AbortController();
  const resources = { owner: replicaSets, owned: pods };
  const outcome = await claimOwned(
    { patch, get },
    resources,
    { owner, objects: [mine, object] },
    signal,
  ).then(
    (owned) => owned.map(nameOf),
    (error: unknown) => (isStale(error) ? 'stale' : String(error)),
  );
  return [outcome, named];
}

test.for([
  { what: 'adoption', object: stray, version: '7', owned: ['mine', 'stray'] },
  { what: 'release', object: lost, version: '8', owned: ['mine'] },
])(
  'each $what names the version that was seen, and is tried again when it is not that any more',
  async ({ object, version, owned }) => {
    expect(await claimed(object, { type: 'ok', object })).toEqual([owned, [version]]);
    expect(await claimed(object, refused('not-found'))).toEqual([['mine'], [version]]);
    expect(await claimed(object, refused('invalid'))).toEqual([['mine'], [version]]);
    expect(await claimed(object, refused('conflict'))).toEqual(['stale', [version]]);
    // Of a webhook: the object is as it was.
    expect(await claimed(object, refused('conflict'), object)).toEqual([['mine'], [version]]);
  },
);
