import { cpuMicros, memoryOf } from '../apiserver/process-usage.ts';
import type { RegistrationsEffort, RegistrationsMeasurement } from './figures.ts';
import type { HookService } from './hook-service.ts';
import { defineKind, makeInstances, register } from './objects.ts';
import type { RegistrationsCluster } from './registrations-cluster.ts';
import { untilReconciled } from './until-reconciled.ts';

const plural = 'colds';

/** Instances that are all there when their registration comes: how long until each has its children and status. */
export async function fromCold(
  cluster: RegistrationsCluster,
  service: HookService,
  { cold: count }: RegistrationsEffort,
): Promise<readonly RegistrationsMeasurement[]> {
  await cluster.ask(defineKind(plural, 'Cold'));
  await makeInstances(cluster.address, { plural, kind: 'Cold', count });
  const before = { calls: await service.calls(), cpu: cpuMicros(cluster.pids), ...memoryOf(cluster.pids) };
  const reconciled = await untilReconciled(cluster.address, plural, count);
  const began = performance.now();
  await cluster.ask(register({ plural, uri: `${service.url}/5`, concurrency: 25 }));
  await reconciled.finished;
  const seconds = (performance.now() - began) / 1000;
  const { nowMegabytes, peakMegabytes } = memoryOf(cluster.pids);
  const calls = (await service.calls()) - before.calls;
  const cpuMicrosPerInstance = (cpuMicros(cluster.pids) - before.cpu) / count;
  return [
    { id: 'cold', value: seconds, details: { instances: count, calls, cpuMicrosPerInstance } },
    {
      id: 'cold-memory',
      value: nowMegabytes,
      details: { peakMegabytes, megabytesBefore: before.nowMegabytes },
    },
  ];
}
