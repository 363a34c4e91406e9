import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { followLines } from '../nodes/event-lines.ts';
import type { HooksEffort, HooksMeasurement } from './figures.ts';
import { makeRuns, runsPath, type RunWish } from './hook-runs.ts';
import type { HookService } from './hook-service.ts';
import type { HooksCluster } from './hooks-cluster.ts';

const count = 20;

/** Writes of runs that end by themselves, counted by a watch, against the measurements that they hold in the end. */
export async function writesPerMeasurement(
  cluster: HooksCluster,
  service: HookService,
  effort: HooksEffort,
): Promise<HooksMeasurement> {
  const runs = Math.ceil(effort.runsInOneProcess / 10);
  let writes = 0;
  let measurements = 0;
  let ended = 0;
  const watch = await followLines(cluster.address, runsPath, (line) => {
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: JsonObject };
    if (type !== 'MODIFIED') return false;
    writes += 1;
    if (textAt(object, 'status', 'finishedAt') === undefined) return false;
    for (const result of listAt(objectAt(object, 'status'), 'metricResults'))
      measurements += numberAt(result, 'count') ?? 0;
    ended += 1;
    return ended === runs;
  });
  const wishes = Array.from({ length: runs }, (_, number): RunWish => {
    const name = `writes-${number}`;
    const delay = [0, 50, 200][number % 3];
    return { name, url: `${service.url}/${delay}/${name}`, metric: { interval: '300ms', count } };
  });
  await makeRuns(cluster.address, wishes, effort.spreadMillis);
  await watch.finished;
  return {
    id: 'writes',
    value: writes / measurements,
    rounds: [writes / measurements],
    details: { writes, measurements },
  };
}
