import { expect, test } from 'vitest';
import { createMetrics, type Exposition } from '#edge/metrics.ts';
import { act, hook, isPausedAt, releasing } from '../support/act.ts';
import { image, isComplete } from '../support/game-world.ts';
import { openHooksWorld } from '../support/hooks-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

/** The samples of a metric that are not 0, without its name. */
async function samples(metrics: Exposition, name: string): Promise<readonly string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines
    .filter((line) => line.startsWith(`boathook_${name}{`) && !line.endsWith(' 0'))
    .map((line) => line.slice(`boathook_${name}`.length))
    .toSorted();
}

test('each release is counted once, with its outcome, cause and times', async () => {
  const metrics = createMetrics({ ofProcess: false });
  const at = await closedAfterTest(releasing([{ partition: 3 }, hook, { pause: {} }]));
  await at.control({ metrics });
  await at.until(isPausedAt(2));
  await at.pass(10);
  expect(await samples(metrics, 'releases')).toEqual(['{kind="GameDeployment",phase="Paused"} 1']);
  await act(at, 'promote');
  await at.until(isComplete);
  // A hook that takes 6 seconds and fails, and a user who takes 4.
  at.answer(() => 'hang');
  await at.patch(image('3'));
  await at.pass(6);
  at.answer(() => ({ age: 45 }));
  await at.until(isPausedAt(1));
  await at.pass(4);
  await act(at, 'abort');
  // Another controller finds all of it in the history, and counts nothing again.
  await at.control({ metrics });
  await at.patch({ metadata: { labels: { touched: 'yes' } } });
  await at.pass(5);
  expect(await samples(metrics, 'releases_ended_total')).toEqual([
    '{kind="GameDeployment",outcome="Aborted",cause="AbortedByUser"} 1',
    '{kind="GameDeployment",outcome="Complete",cause="AllPodsUpdated"} 1',
  ]);
  const [total = 0, progressing = 0, paused = 0] = await Promise.all(
    ['duration', 'progressing', 'paused'].map(async (part) => {
      const sums = await samples(metrics, `release_${part}_seconds_sum`);
      return Number(
        sums
          .find((line) => line.includes('Aborted'))
          ?.split(' ')
          .at(-1),
      );
    }),
  );
  expect(progressing).toBeGreaterThanOrEqual(6);
  expect(paused).toBeGreaterThanOrEqual(4);
  expect(total).toBe(progressing + paused);
});

test('calls of hooks are counted by provider and outcome, and verdicts by phase', async () => {
  const metrics = createMetrics({ ofProcess: false });
  await using hooks = await openHooksWorld({ metrics });
  const replies = [{ age: 20 }, { age: 50 }, {}, { age: 20 }, { age: 20 }];
  hooks.service = () => replies.shift() ?? { age: 20 };
  const metric = {
    name: 'age',
    interval: '2s',
    count: 4,
    failureLimit: 3,
    noData: 'Wait',
    successCondition: 'asInt(result) < 30',
    provider: { web: { url: 'http://hook.example/age', jsonPath: '{$.age}' } },
  };
  await hooks.create('r', { metrics: [metric] });
  await hooks.pass(1);
  expect(await samples(metrics, 'hook_runs')).toEqual(['{phase="Running"} 1']);
  await hooks.pass(15);
  expect(await samples(metrics, 'hook_measurements_total')).toEqual([
    '{provider="web",outcome="Failed"} 1',
    '{provider="web",outcome="Pending"} 1',
    '{provider="web",outcome="Successful"} 3',
  ]);
  expect(await samples(metrics, 'hook_verdicts_total')).toEqual(['{verdict="Successful"} 1']);
  expect(await samples(metrics, 'hook_runs')).toEqual(['{phase="Successful"} 1']);
  expect(await samples(metrics, 'hook_measurement_latency_seconds_count')).toEqual(['{provider="web"} 5']);
  // The clock of the test stands still during a call; calls begin at most one step after their time.
  const [late = ''] = await samples(metrics, 'hook_measurement_lateness_seconds_bucket');
  expect(late).toMatch(/le="\+Inf",provider="web"\} 5|le="0\.\d+",provider="web"\} \d/);
});

test('without metrics nothing is counted, and controllers that closed show no queue', async () => {
  const metrics = createMetrics({ ofProcess: false });
  await using hooks = await openHooksWorld({ controlled: false });
  const control = hooks.control({ metrics });
  await hooks.create('r', { metrics: [] });
  await hooks.pass(1);
  expect(await metrics.text()).toContain('boathook_work_queue_depth{controller="hookrun"} 0');
  await control.close();
  expect(await metrics.text()).not.toContain('boathook_work_queue_depth{');
});
