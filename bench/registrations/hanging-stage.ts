import { setTimeout as sleep } from 'node:timers/promises';
import { textAt, type JsonObject } from '#base/json.ts';
import { mustBe, openAll } from '../apiserver/connection.ts';
import { percentile } from '../apiserver/statistics.ts';
import { followLines } from '../nodes/event-lines.ts';
import type { RegistrationsEffort, RegistrationsMeasurement } from './figures.ts';
import type { HookService } from './hook-service.ts';
import { defineKind, instancesPath, makeInstances, register } from './objects.ts';
import type { RegistrationsCluster } from './registrations-cluster.ts';
import { isReconciled, untilReconciled } from './until-reconciled.ts';

const plural = 'healthies';
/** One change every so often: the healthy registration is busy, and nothing queues. */
const paceMillis = 20;

/** How much later changes of healthy instances arrive in their status beside a hook that never answers. */
export async function besideHanging(
  cluster: RegistrationsCluster,
  service: HookService,
  effort: RegistrationsEffort,
): Promise<RegistrationsMeasurement> {
  const { healthy: count, hanging } = effort;
  await cluster.ask(defineKind(plural, 'Healthy'));
  await makeInstances(cluster.address, { plural, kind: 'Healthy', count });
  const reconciled = await untilReconciled(cluster.address, plural, count);
  await cluster.ask(register({ plural, uri: `${service.url}/5` }));
  await reconciled.finished;
  await changes(cluster, effort);
  const alone = await changes(cluster, effort);
  await cluster.ask(defineKind('hangs', 'Hang'));
  await makeInstances(cluster.address, { plural: 'hangs', kind: 'Hang', count: hanging });
  await cluster.ask(register({ plural: 'hangs', uri: `${service.url}/hang`, concurrency: 20 }));
  await sleep(effort.restMillis / 2);
  const beside = await changes(cluster, effort);
  const p99 = { without: percentile(alone, 0.99), with: percentile(beside, 0.99) };
  const p50 = { p50Without: percentile(alone, 0.5), p50With: percentile(beside, 0.5) };
  return {
    id: 'hanging',
    value: Math.max(0, p99.with - p99.without),
    details: { ...p99, ...p50, changes: beside.length },
  };
}

/** Milliseconds from a change of an instance to the status that knows it. */
async function changes(
  cluster: RegistrationsCluster,
  { changes: count, healthy }: RegistrationsEffort,
): Promise<readonly number[]> {
  const begun = new Map<string, number>();
  const took: number[] = [];
  let sent = 0;
  const path = instancesPath(plural);
  const watch = await followLines(cluster.address, path, (line) => {
    const { object } = JSON.parse(line) as { readonly object: JsonObject };
    const name = textAt(object, 'metadata', 'name') ?? '';
    const since = begun.get(name);
    if (since === undefined || !isReconciled(object)) return false;
    begun.delete(name);
    took.push(performance.now() - since);
    return sent === count && begun.size === 0;
  });
  const [connection] = await openAll(cluster.address, 1);
  if (connection === undefined) throw new Error('there is no connection');
  const start = performance.now();
  for (let number = 0; sent < count; number += 1) {
    const wait = start + number * paceMillis - performance.now();
    if (wait > 0) await sleep(wait);
    const name = `i-${number % healthy}`;
    // Its last change is still on its way.
    if (begun.has(name)) continue;
    const body = JSON.stringify({ spec: { change: String(Math.floor(start) + number) } });
    begun.set(name, performance.now());
    sent += 1;
    const ask = {
      method: 'PATCH',
      path: `${path}/${name}`,
      contentType: 'application/merge-patch+json',
      body,
    } as const;
    mustBe(await connection.send(ask), 200);
  }
  await watch.finished;
  connection.close();
  return took;
}
