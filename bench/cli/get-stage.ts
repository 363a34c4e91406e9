import { setTimeout as sleep } from 'node:timers/promises';
import { textAt, type JsonObject } from '#base/json.ts';
import { Connection, mustBe, type Ask } from '../apiserver/connection.ts';
import { pod, podsPath } from '../apiserver/objects.ts';
import { median } from '../apiserver/statistics.ts';
import { changeImage, create, workload } from '../workloads/workload-objects.ts';
import type { CliCluster } from './cli-cluster.ts';
import type { CliEffort, CliMeasurement } from './figures.ts';
import { runCommand, usageOf } from './run-command.ts';

const replicas = 10;

/** Shows one release beside many pods of others. */
export async function gets(cluster: CliCluster, effort: CliEffort): Promise<CliMeasurement> {
  await beginRelease(cluster);
  await cluster.fill(Array.from({ length: effort.pods }, (_, number) => createForeign(number)));
  const get = ['release', 'get', 'gd/shop', '-n', 'bench', '--kubeconfig', cluster.kubeconfig];
  const { out } = await runCommand(get);
  if (!out.includes('shop')) throw new Error(`release get printed ${out}`);
  const rounds: number[] = [];
  for (let round = 0; round < effort.rounds; round++) rounds.push((await runCommand(get)).millis / 1000);
  const { cpuMillis } = await usageOf(get);
  const details = { lines: out.split('\n').length, cpuMillis };
  return { id: 'get', value: median(rounds), rounds, details };
}

/** A release of ten pods that waits at the pause of its first step. */
export async function beginRelease({ address }: Pick<CliCluster, 'address'>): Promise<void> {
  const connection = await Connection.open(address);
  const steps = [{ partition: replicas / 2 }, { pause: {} }, { partition: 0 }];
  mustBe(await connection.send(create(workload('shop', replicas, { canary: { steps } }))), 201);
  await until(connection, 'Complete');
  mustBe(await connection.send(changeImage('shop', 2)), 200);
  await until(connection, 'Paused');
  connection.close();
}

const patienceMillis = 60_000;

async function until(connection: Connection, phase: string): Promise<void> {
  const path = '/apis/tkex.tencent.com/v1alpha1/namespaces/bench/gamedeployments/shop';
  const end = performance.now() + patienceMillis;
  let found = '';
  while (found !== phase) {
    if (performance.now() > end) throw new Error(`shop is ${found}, not ${phase}`);
    await sleep(50);
    const { text } = mustBe(await connection.send({ method: 'GET', path, keep: true }), 200);
    found = textAt(JSON.parse(text) as JsonObject, 'status', 'phase') ?? '';
  }
}

/** A pod of another workload, which no scheduler takes. */
function createForeign(number: number): Ask {
  const foreign = pod(`other-${number}`, number);
  const spec = { ...(foreign['spec'] as JsonObject), schedulerName: 'nobody' };
  return { method: 'POST', path: podsPath, body: JSON.stringify({ ...foreign, spec }) };
}
