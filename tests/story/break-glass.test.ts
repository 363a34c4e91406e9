import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { nameOf } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { pods } from '#loop/owned/resources.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { breakGlassAnnotation } from '#releases/model/well-known.ts';
import {
  gameDeployment,
  hookTemplate,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';
import { found } from '../support/world.ts';

const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };

async function brokenGlass(world: GameWorld): Promise<readonly string[]> {
  const listed = await world.client.list(events, { namespace: 'default' }, never);
  return (listed.type === 'ok' ? listed.items : [])
    .filter((event) => textAt(event, 'reason') === 'BreakGlass')
    .map((event) => textAt(event, 'involvedObject', 'kind') ?? '')
    .toSorted();
}

async function annotate(world: GameWorld, name: string, annotations: Record<string, string>): Promise<void> {
  const patch = { type: 'merge', body: { metadata: { annotations } } } as const;
  found(await world.client.patch(pods, { namespace: 'default', name }, patch, never));
}

type Withdrawal = { readonly method: 'GET' | 'PATCH'; readonly isWithdrawn: boolean; readonly says: string };

test.for<Withdrawal>([
  { method: 'GET', isWithdrawn: true, says: 'withdrawn before the controller reads the pod again' },
  { method: 'PATCH', isWithdrawn: true, says: 'withdrawn before the write of the controller' },
  { method: 'PATCH', isWithdrawn: false, says: 'that stands while something else in the pod changes' },
])('broken glass $says', async ({ method, isWithdrawn }) => {
  await using world = await openGameWorld();
  let meanwhile: (() => Promise<void>) | undefined;
  const around =
    (direct: Transport): Transport =>
    async (request) => {
      const isOfPod = request.method === method && /\/pods\/[^/]+$/.test(request.path);
      if (isOfPod && (method === 'GET' || request.body?.includes('$deleteFromPrimitiveList') === true)) {
        const act = meanwhile;
        meanwhile = undefined;
        await act?.();
      }
      return direct(request);
    };
  await world.control({ around });
  await make(world, templates, hookTemplate());
  const preDeleteUpdateStrategy = { enforce: 'Always', hook: { templateName: 'age' } };
  await make(world, gameDeployments, gameDeployment({ replicas: 1, preDeleteUpdateStrategy }));
  await world.pass(5);
  world.answer(() => 'hang');
  const [name = ''] = world.pods().map(nameOf);
  await world.deletePod(name);
  await world.pass(5);
  meanwhile = () => annotate(world, name, isWithdrawn ? { [breakGlassAnnotation]: 'please' } : { note: 'x' });
  await annotate(world, name, { [breakGlassAnnotation]: 'alice: node is on fire' });
  await world.pass(5);
  expect(meanwhile).toBeUndefined();
  if (isWithdrawn) {
    expect(world.allPods().map(nameOf)).toContain(name);
    expect(await brokenGlass(world)).toEqual([]);
    await annotate(world, name, { [breakGlassAnnotation]: 'alice: node is on fire' });
    await world.pass(5);
  }
  expect(world.allPods().map(nameOf)).not.toContain(name);
  expect(await brokenGlass(world)).toEqual(['GameDeployment', 'Pod']);
});
