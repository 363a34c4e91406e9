import { expect, test } from 'vitest';
import { gameDeployments } from '#releases/controller/resources.ts';
import { nameOf } from '#kube/object.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';
import { gameDeployment, isComplete, make, openGameWorld } from '../support/game-world.ts';
import { heldWatches } from '../support/held-watches.ts';

test('a pod that a user wants deleted is deleted, also when the controller does not see it yet', async () => {
  const news = heldWatches(['pods']);
  const at = await closedAfterTest(openGameWorld());
  await at.control({ around: (direct) => news.around(direct) });
  await make(at, gameDeployments, gameDeployment({ replicas: 1 }));
  await at.until(isComplete);
  const [first = ''] = at.pods().map(nameOf);
  news.hold();
  await at.patch({ spec: { replicas: 2 } });
  await at.pass(5);
  const made =
    at
      .pods()
      .map(nameOf)
      .find((name) => name !== first) ?? '';
  expect(made).not.toBe('');
  await at.patch({ spec: { scaleStrategy: { podsToDelete: [made] } } });
  await at.pass(2);
  news.release();
  await at.pass(15);
  const left = at.pods().map(nameOf);
  expect(left).toHaveLength(2);
  expect(left).toContain(first);
  expect(left).not.toContain(made);
});
