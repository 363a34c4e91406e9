import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { nameOf } from '#kube/object.ts';
import {
  conditionsOf,
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  templates,
} from '../support/game-world.ts';

test.for(['Failed', 'Inconclusive'])(
  'a hook that is stopped with the verdict %s does not let the release continue',
  async (terminateVerdict) => {
    await using world = await openGameWorld();
    await world.control();
    world.answer(() => ({ age: 45 }));
    await make(world, templates, hookTemplate('age', { interval: '1s', failureLimit: 1000 }));
    const steps = [{ hook: { templateName: 'age' } }];
    await make(world, gameDeployments, gameDeployment({ updateStrategy: { canary: { steps } } }));
    await world.until(isComplete);
    await world.patch(image('2'));
    await world.until(() => world.asked.length >= 8);
    const [run] = world.runs();
    const key = { namespace: 'default', name: run === undefined ? '' : nameOf(run) };
    const body = { spec: { terminate: true, terminateVerdict } };
    await world.client.patch(hookRuns, key, { type: 'merge', body }, never);
    const paused = await world.until((each) => textAt(each, 'status', 'phase') === 'Paused');
    expect(conditionsOf(paused)).toMatchObject({ Paused: 'True PausedByStepBasedHook' });
    await world.pass(30, 5);
    expect(await world.workload()).toMatchObject({ status: { currentStepIndex: 0, updatedReplicas: 0 } });
    expect(world.runs().map((each) => textAt(each, 'status', 'phase'))).toEqual([terminateVerdict]);
  },
);
