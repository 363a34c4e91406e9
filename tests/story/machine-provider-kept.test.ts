import { expect, test } from 'vitest';
import type { Metric } from '#hooks/kinds/metric.ts';
import type { MetricCall } from '#hooks/providers/provider.ts';
import { KeptEnd } from '#hooks/providers/machine/kept-end.ts';
import type { KubeObject } from '#kube/object.ts';
import { nameOf, uidOf } from '#kube/object.ts';
import { hookRuns, never, openHooksWorld } from '../support/hooks-world.ts';

const metric: Metric = { name: 'on machines', provider: { machine: { cluster: 'c', script: '/s' } } };
const question = (run: KubeObject, of: Metric = metric): MetricCall => ({
  namespace: 'default',
  run: { name: nameOf(run), uid: uidOf(run) },
  serviceAccount: 'default',
  metric: of,
  args: new Map(),
  attempt: 0,
});
const end = { type: 'done', lines: [{ node: 'n', line: 'it said "so"' }] } as const;
const failed = { type: 'failed', message: 'n: exit code 7' } as const;

test('an end that was kept is found by the next controller, for that very call of that very run', async () => {
  await using world = await openHooksWorld({ controlled: false });
  const said: unknown[] = [];
  const deps = {
    client: world.client,
    clock: world.clock,
    report: (...given: unknown[]) => said.push(given),
  };
  const spec = { metrics: [metric] as never };
  const run = await world.create('asks', spec);
  const kept = (id: string, of = metric) => new KeptEnd(deps, question(run, of), id);
  expect(await kept('one').read(never)).toBeUndefined();
  await kept('one').keep(end, never);
  await kept('other', { ...metric, name: 'other' }).keep(failed, never);
  expect(await kept('one').read(never)).toEqual(end);
  expect(await kept('two').read(never)).toBeUndefined();
  await kept('two').keep(failed, never);
  expect(await kept('one').read(never)).toBeUndefined();
  expect(await kept('two').read(never)).toEqual(failed);
  expect(await kept('other', { ...metric, name: 'other' }).read(never)).toEqual(failed);

  await world.client.remove(hookRuns, { namespace: 'default', name: 'asks' }, never, {});
  await kept('two').keep(end, never);
  const anew = await world.create('asks', spec);
  await kept('two').keep(end, never);
  expect(await kept('two').read(never)).toBeUndefined();
  expect(await new KeptEnd(deps, question(anew), 'two').read(never)).toBeUndefined();
  expect(said).toEqual([]);
});
