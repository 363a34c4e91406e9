import { expect, test } from 'vitest';
import { instant, minutes } from '#base/time.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';
import { gameDeployment, isComplete, make, openGameWorld } from '../support/game-world.ts';
import { heldWatches } from '../support/held-watches.ts';
import { noon } from '../support/world.ts';

test('a clock that is set forward while watches are late lets no pod be made twice', async () => {
  const steady = manualClock(noon);
  let ahead = 0;
  const clock: ManualClock = {
    ...steady,
    now: () => instant(steady.now() + ahead),
    steady: () => steady.now(),
  };
  const news = heldWatches(['pods']);
  const at = await closedAfterTest(openGameWorld({ clock }));
  await at.control({ around: (direct) => news.around(direct) });
  await make(at, gameDeployments, gameDeployment({ replicas: 3 }));
  await at.until(isComplete);
  news.hold();
  await at.patch({ spec: { replicas: 4 } });
  await at.settle(false);
  expect(at.pods()).toHaveLength(4);
  ahead = minutes(6);
  await at.patch({ metadata: { annotations: { touched: 'yes' } } });
  await at.settle(false);
  expect(at.pods()).toHaveLength(4);
});
