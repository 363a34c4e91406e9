import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import {
  conditionsOf,
  gameDeployment,
  image,
  isComplete,
  make,
  openGameWorld,
  type GameWorld,
} from '../support/game-world.ts';

const messageOf = (workload: KubeObject): string => textAt(workload, 'status', 'message') ?? '';

/** Deletes the pod that the message names. */
async function obey(world: GameWorld): Promise<void> {
  const [, name = ''] = /delete pod (\S+),/.exec(messageOf(await world.workload())) ?? [];
  expect(world.pods().map(nameOf)).toContain(name);
  await world.deletePod(name);
}

test('with OnDelete every step explains which pods a person must delete, and which it keeps', async () => {
  await using world = await openGameWorld();
  await world.control();
  const canary = { steps: [{ partition: 3 }, { pause: {} }] };
  await make(world, gameDeployments, gameDeployment({ updateStrategy: { type: 'OnDelete', canary } }));
  await world.until(isComplete);
  await world.patch(image('2'));
  const first = await world.until((each) => messageOf(each).startsWith('Step 1/2: 2 pods keep'));
  expect(messageOf(first)).toContain('OnDelete: delete pod g-');
  expect(messageOf(first)).toContain('The other 3 stay: the step keeps them, also when a user deletes them.');
  expect(conditionsOf(first)).toMatchObject({ Progressing: 'True WaitingForDeletion' });
  await obey(world);
  await world.until((each) => messageOf(each).startsWith('Step 1/2: 1 pod keeps'));
  await obey(world);
  await world.until((each) => textAt(each, 'status', 'phase') === 'Paused');
  await world.patch({ spec: { updateStrategy: { paused: false } } });
  const last = await world.until((each) => messageOf(each).startsWith('3 pods keep their revision'));
  expect(messageOf(last)).not.toContain('stay');
  for (const left of ['2 pods keep their', '1 pod keeps its']) {
    await obey(world);
    await world.until((each) => messageOf(each).startsWith(`${left} revision`));
  }
  await obey(world);
  await world.until(isComplete);
});
