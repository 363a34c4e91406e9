import { setTimeout as sleep } from 'node:timers/promises';
import { kinds } from '#cli/kinds.ts';
import type { JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { controllerNames } from '#embedded/controllers/start.ts';
import { controlClients } from '#command/control-clients.ts';
import { startEmbedded } from '#embedded/start.ts';
import { startControl } from '#cli/start-controllers.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { systemRandom } from '#edge/random.ts';
import { systemTasks } from '#edge/tasks.ts';
import type { WorkloadsEffort, WorkloadsMeasurement } from './figures.ts';
import { imageOf, isComplete, workload } from './workload-objects.ts';
import { podSpec } from '../nodes/pods.ts';

const never = new AbortController().signal;
const admin = { user: 'admin', groups: ['system:masters'] };

/** What a controller writes for an update in place, counted on its way to a server in this process. */
export async function writes({ counted, replicas }: WorkloadsEffort): Promise<WorkloadsMeasurement> {
  const embedded = await startEmbedded({
    journal: memoryJournal(),
    clock: systemClock,
    random: systemRandom,
    tasks: systemTasks,
    tokens: [],
    rootCa: 'ca',
    kubeControllers: new Set(controllerNames),
    nodes: { count: 5, profile: 'instant', timeScale: 1, seed: 1 },
    kinds,
    report: (error) => {
      throw error;
    },
  });
  await embedded.ready;
  const direct = inProcessTransport(embedded.server.serve, admin);
  const counts = new Map<string, number>();
  const counting: Transport = (request) => {
    const [, plural = ''] = /\/namespaces\/[^/]+\/([a-z]+)/.exec(request.path) ?? [];
    if (request.method !== 'GET') counts.set(plural, (counts.get(plural) ?? 0) + 1);
    return direct(request);
  };
  const control = startControl({
    ...controlClients(counting, systemClock),
    outgoing: () => Promise.reject(new Error('nobody is asked here')),
    hmac: hmacSha256Hex,
    clock: systemClock,
    random: systemRandom,
    tasks: systemTasks,
    report: () => undefined,
    names: new Set(['gamedeployment']),
  });
  const { client } = controlClients(direct, systemClock);
  const names = Array.from({ length: counted }, (_, number) => `counted-${number}`);
  const until = async (tag: number): Promise<void> => {
    for (let done = false; !done;) {
      await sleep(50);
      const listed = await client.list(gameDeployments, {}, never);
      done = listed.type === 'ok' && listed.items.every(isComplete(replicas, tag));
    }
  };
  for (const name of names) {
    const made = withNamespace(workload(name, replicas));
    await client.create(gameDeployments, made, never);
  }
  await until(1);
  await control.idle();
  counts.clear();
  const body = { spec: { template: { spec: podSpec(imageOf(2)) } } };
  for (const name of names)
    await client.patch(gameDeployments, { namespace: 'default', name }, { type: 'merge', body }, never);
  await until(2);
  await control.idle();
  await control.close();
  await embedded.close();
  const pods = counted * replicas;
  const perPod = (plural: string): number => (counts.get(plural) ?? 0) / pods;
  return {
    id: 'writes',
    value: perPod('pods'),
    rounds: [perPod('pods')],
    details: {
      statusesPerPod: perPod('gamedeployments'),
      eventsPerPod: perPod('events'),
      revisionsPerPod: perPod('controllerrevisions'),
    },
  };
}

const withNamespace = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object['metadata'] as JsonObject), namespace: 'default' },
});
