import { setTimeout as sleep } from 'node:timers/promises';
import { controlClients } from '#command/control-clients.ts';
import { openCluster } from '#command/open-cluster.ts';
import { startControl } from '#cli/start-controllers.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { systemRandom } from '#edge/random.ts';
import { systemTasks } from '#edge/tasks.ts';
import { countingWay } from './counting-way.ts';
import type { RegistrationsEffort, RegistrationsMeasurement } from './figures.ts';
import type { HookService } from './hook-service.ts';
import { defineKind, makeInstances, register } from './objects.ts';
import type { RegistrationsCluster } from './registrations-cluster.ts';
import { untilReconciled } from './until-reconciled.ts';

const plural = 'relists';

/** A controller in this process, whose watches are all lost at once: what it writes and asks while it lists anew. */
export async function relist(
  cluster: RegistrationsCluster,
  service: HookService,
  { relisted: count, restMillis }: RegistrationsEffort,
): Promise<readonly RegistrationsMeasurement[]> {
  const opened = openCluster({ kubeconfig: cluster.kubeconfig }, 'bench');
  const outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
  const way = countingWay(opened.transport);
  const control = startControl({
    ...controlClients(way.transport, systemClock),
    outgoing,
    hmac: hmacSha256Hex,
    clock: systemClock,
    random: systemRandom,
    tasks: systemTasks,
    report: () => undefined,
    names: new Set(['crdregistration']),
  });
  try {
    await cluster.ask(defineKind(plural, 'Relist'));
    await makeInstances(cluster.address, { plural, kind: 'Relist', count });
    const reconciled = await untilReconciled(cluster.address, plural, count);
    await cluster.ask(register({ plural, uri: `${service.url}/5` }));
    await reconciled.finished;
    await sleep(restMillis);
    const before = { writes: way.writes, lists: way.lists, calls: await service.calls() };
    way.lose();
    // Registrations, definitions, instances, and three kinds of children.
    while (way.lists - before.lists < 6) await sleep(100);
    await sleep(restMillis * 2);
    const details = { instances: count, pages: way.lists - before.lists };
    return [
      { id: 'relist-writes', value: way.writes - before.writes, details },
      { id: 'relist-calls', value: (await service.calls()) - before.calls, details },
    ];
  } finally {
    await control.close();
    await outgoing.close();
    await opened.close();
  }
}
