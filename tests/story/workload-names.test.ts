import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import type { Resource } from '#kube/resource.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { pods } from '#loop/owned/resources.ts';
import {
  hookTemplate,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';

const word = (length: number): string =>
  'abcdefghi-'
    .repeat(26)
    .slice(0, length - 1)
    .concat('z');

const names = [52, 53, 61, 63, 64, 100, 246, 253].map(word);
/** As a certificate or a domain would be called. */
const dotted = `v1.${word(60)}`;

const kinds = [
  { kind: 'GameDeployment', resource: gameDeployments, type: 'InplaceUpdate', more: {} },
  { kind: 'GameDeployment', resource: gameDeployments, type: 'RollingUpdate', more: {} },
  { kind: 'GameStatefulSet', resource: gameStatefulSets, type: 'InplaceUpdate', more: { serviceName: 'g' } },
  { kind: 'GameStatefulSet', resource: gameStatefulSets, type: 'RollingUpdate', more: { serviceName: 'g' } },
] as const;

async function until(
  world: GameWorld,
  resource: Resource,
  name: string,
  isWanted: (workload: KubeObject) => boolean,
): Promise<KubeObject> {
  for (let passed = 0; ; passed += 1) {
    await world.settle();
    const found = await world.client.get(resource, { namespace: 'default', name }, never);
    if (found.type !== 'ok') throw new Error(found.message);
    if (isWanted(found.object)) return found.object;
    if (passed === 120) throw new Error(JSON.stringify(found.object['status'], undefined, 1));
    await world.pass(0.5);
  }
}

test.for(kinds.flatMap((each) => [...names, dotted].map((name) => ({ ...each, name, length: name.length }))))(
  '$kind, $type: a name of $length characters is released, healed and scaled',
  async ({ kind, resource, type, name, more }) => {
    await using world = await openGameWorld();
    await world.control();
    await make(world, templates, hookTemplate());
    const hook = { hook: { templateName: 'age' } };
    const partition = kind === 'GameStatefulSet' ? 1 : 2;
    await make(world, resource, {
      apiVersion: 'tkex.tencent.com/v1alpha1',
      kind,
      metadata: { name, namespace: 'default' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'g' } },
        template: {
          metadata: { labels: { app: 'g' } },
          spec: { containers: [{ name: 'c', image: 'app:1' }], terminationGracePeriodSeconds: 1 },
        },
        preDeleteUpdateStrategy: hook,
        updateStrategy: { type, canary: { steps: [{ partition }, hook] } },
        ...more,
      },
    });
    const change = (body: JsonObject) =>
      world.client.patch(resource, { namespace: 'default', name }, { type: 'merge', body }, never);
    await until(world, resource, name, isComplete);
    for (const tag of ['2', '3', '4']) {
      await change(image(tag));
      await until(world, resource, name, isComplete);
      expect(world.pods().map((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image'))).toEqual(
        Array(3).fill(`app:${tag}`),
      );
    }
    const [victim = {}] = world.pods();
    await world.client.remove(pods, { namespace: 'default', name: nameOf(victim) }, never);
    await world.pass(2);
    await until(world, resource, name, isComplete);
    await change({ spec: { replicas: 11 } });
    await until(world, resource, name, isComplete);
    expect(world.pods()).toHaveLength(11);
    await change({ spec: { replicas: 2 } });
    await until(
      world,
      resource,
      name,
      (each) => isComplete(each) && numberAt(each, 'status', 'replicas') === 2,
    );
    expect(world.runs().length).toBeGreaterThan(2);
  },
);
