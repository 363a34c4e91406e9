import { afterEach, expect, test } from 'vitest';
import { listAt, textAt } from '#base/json.ts';
import { millis } from '#base/time.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import {
  gameDeployment,
  image,
  isComplete,
  make,
  openGameWorld,
  type GameWorld,
} from '../support/game-world.ts';
import { heldWatches } from '../support/held-watches.ts';

let world: GameWorld | undefined;
afterEach(async () => {
  const ended = world;
  world = undefined;
  await ended?.[Symbol.asyncDispose]();
});

const imageOf = (pod: KubeObject): string => textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';
const imagesOf = (at: GameWorld): readonly string[] => at.pods().map(imageOf).toSorted();

test.for([
  { what: 'shown late', isLost: false },
  { what: 'lost, and shown late', isLost: true },
])('a pod that the partition keeps is made anew from its revision: $what', async ({ isLost }) => {
  const news = heldWatches(['pods']);
  let isNext = false;
  const around = (direct: Transport): Transport => {
    const held = news.around(direct);
    return async (request) => {
      const isHit = isNext && request.method === 'POST' && request.path.endsWith('/pods');
      if (isHit) news.hold();
      const answer = await held(request);
      if (!isHit) return answer;
      isNext = false;
      if (isLost) throw new Unavailable('the answer was lost');
      return answer;
    };
  };
  const at = await openGameWorld();
  world = at;
  await at.control({ around });
  const updateStrategy = { type: 'RollingUpdate', partition: 1, maxUnavailable: 1 };
  await make(at, gameDeployments, gameDeployment({ replicas: 3, updateStrategy }));
  await at.until(isComplete);
  await at.patch(image('2'));
  await at.pass(60);
  expect(imagesOf(at)).toEqual(['app:1', 'app:2', 'app:2']);
  const kept = (): string => nameOf(at.pods().find((pod) => imageOf(pod) === 'app:1') ?? {});
  isNext = true;
  await at.deletePod(kept());
  await at.settle(false);
  // The new one is there, and the controller has not seen it: all others have the new revision.
  await at.patch({ spec: { replicas: 2 } });
  for (let turn = 0; turn < 4; turn += 1) {
    at.clock.advance(millis(500));
    await at.settle(false);
  }
  news.release();
  await at.pass(10);
  expect(imagesOf(at)).toEqual(['app:1', 'app:2']);
  await at.deletePod(kept());
  await at.pass(10);
  expect(imagesOf(at)).toEqual(['app:1', 'app:2']);
  expect(at.observer.complaints).toEqual([]);
});
