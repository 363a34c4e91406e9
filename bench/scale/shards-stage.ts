import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { numberAt, textAt } from '#base/json.ts';
import { shardOf } from '#loop/shards/shard.ts';
import { startChild, type Child } from '../apiserver/child-process.ts';
import { memoryOf } from '../apiserver/process-usage.ts';
import { makeRuns, readRuns, type RunWish } from '../hooks/hook-runs.ts';
import type { HookService } from '../hooks/hook-service.ts';
import { followLines } from '../nodes/event-lines.ts';
import { bring, changeImage, create, isComplete, workload } from '../workloads/workload-objects.ts';
import { says, type WorkloadsCluster } from '../workloads/workloads-cluster.ts';
import type { ScaleEffort, ScaleMeasurement } from './figures.ts';

const program = fileURLToPath(new URL('../../boathook', import.meta.url));
const nameOf = (number: number): string => `shared-${number}`;
const shards = 2;

/** Two controllers share all objects, one of them is killed, and the other one goes on with everything. */
export async function killedShard(
  cluster: WorkloadsCluster,
  service: HookService,
  { shared }: ScaleEffort,
): Promise<readonly ScaleMeasurement[]> {
  const start = (identity: string): Promise<Child> =>
    startChild(
      program,
      [
        'controller',
        `--kubeconfig=${cluster.kubeconfig}`,
        '--outgoing-allow=127.0.0.0/8',
        `--shards=${shards}`,
        `--identity=${identity}`,
        `--data-dir=${join(cluster.kubeconfig, '..', identity)}`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
  const pods = await countPods(cluster);
  const first = await start('first');
  await says(first, 'running shard 1 of 2');
  // The first one keeps shard 0.
  const second = await start('second');
  try {
    await says(second, 'running shard 1 of 2');
    const numbers = Array.from({ length: shared }, (_, number) => number);
    const runsOf = (round: number): readonly RunWish[] =>
      numbers.map((number) => {
        const name = `run-${round}-${number}`;
        return { name, url: `${service.url}/0/${name}` };
      });
    await bring(
      cluster.address,
      numbers.map((number) => create(workload(nameOf(number), 1))),
      isComplete(1, 1),
    );
    await makeRuns(cluster.address, runsOf(1), 0);
    await untilAllEnded(cluster, shared);
    const memories = [first, second].map(({ pid }) => memoryOf([pid]).nowMegabytes);
    const takeover = await killed(cluster, first, numbers);
    const edits = numbers.map((number) => changeImage(nameOf(number), 3));
    await Promise.all([
      bring(cluster.address, edits, isComplete(1, 3)),
      makeRuns(cluster.address, runsOf(2), 0),
    ]);
    await untilAllEnded(cluster, 2 * shared);
    const made = pods.made();
    const calls = [...(await service.calls()).values()].reduce((sum, { length }) => sum + length, 0);
    const twice = made - shared + (calls - 2 * shared);
    const details = { pods: made, calls, first: memories[0] ?? 0, second: memories[1] ?? 0 };
    return [
      { id: 'takeover', value: takeover, rounds: [takeover], details },
      { id: 'twice', value: twice, rounds: [twice], details },
    ];
  } finally {
    pods.close();
    await Promise.all([first.stop(), second.stop()]);
  }
}

/** Kills the holder of shard 0 while workloads are edited. Returns the seconds until one of them is acted on. */
async function killed(
  cluster: WorkloadsCluster,
  { process: child }: Child,
  numbers: readonly number[],
): Promise<number> {
  const number = numbers.find((each) => shardOf(`bench/${nameOf(each)}`, shards) === 0) ?? 0;
  child.kill('SIGKILL');
  const began = performance.now();
  await bring(cluster.address, [changeImage(nameOf(number), 2)], (object) => {
    const generation = numberAt(object, 'metadata', 'generation');
    const isEdited = textAt(object, 'metadata', 'name') === nameOf(number) && generation === 2;
    return isEdited && numberAt(object, 'status', 'observedGeneration') === generation;
  });
  return (performance.now() - began) / 1000;
}

async function untilAllEnded(cluster: WorkloadsCluster, count: number): Promise<void> {
  for (;;) {
    const runs = await readRuns(cluster.address);
    const ended = runs.filter((run) => textAt(run, 'status', 'phase') === 'Successful');
    if (ended.length === count) return;
    await sleep(200);
  }
}

/** Counts pods as they are created. */
async function countPods({ address }: WorkloadsCluster): Promise<{ made(): number; close(): void }> {
  let made = 0;
  const watch = await followLines(address, '/api/v1/namespaces/bench/pods', (line) => {
    if (line.startsWith('{"type":"ADDED"')) made += 1;
    return false;
  });
  return { made: () => made, close: () => watch.close() };
}
