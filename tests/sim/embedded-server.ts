import { memoryJournal } from '#base/memory-journal.ts';
import type { JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { kinds } from '#cli/kinds.ts';
import { createClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { VirtualTime } from '#edge/virtual-time.ts';
import { controllerNames } from '#embedded/controllers/start.ts';
import { startEmbedded } from '#embedded/start.ts';
import { namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { pods } from '#loop/owned/resources.ts';
import type { SimServer } from './sim-server.ts';
import { crashed, failed } from './model-api/model-pod.ts';

const admin = { user: 'user', groups: ['system:masters'] };
const never = new AbortController().signal;

/** The whole embedded server with its controllers and nodes. */
export async function embeddedServer(time: VirtualTime, seed: number): Promise<SimServer> {
  const problems: unknown[] = [];
  const embedded = await time.until(
    startEmbedded({
      journal: memoryJournal(),
      clock: time.clock,
      random: seededRandom(seed),
      tasks: time.tasks,
      tokens: [],
      rootCa: '',
      kubeControllers: new Set(controllerNames),
      nodes: { count: 3, profile: 'instant', timeScale: 1, seed },
      kinds,
      report: (problem) => problems.push(problem),
    }),
  );
  await time.until(embedded.ready);
  const { serve, context } = embedded.server;
  const client = createClient({
    transport: inProcessTransport(serve, admin),
    clock: time.clock,
    userAgent: 'user',
  });
  const { store } = context;
  const known = new Map<string, KubeObject>();
  return {
    client,
    subscribe(listener) {
      store.subscribe((changes) => {
        for (const { type, resource, after } of changes) {
          const { object } = after;
          const key = `${resource} ${uidOf(object)}`;
          const before = known.get(key);
          if (type === 'DELETED') known.delete(key);
          else known.set(key, object);
          listener({ type, storage: resource, object, before });
        }
      });
    },
    stored: (storage, namespace) =>
      [...store.table(storage).range(undefined)]
        .map(({ object }) => object)
        .filter((object) => namespaceOf(object) === namespace),
    hurt(pod, how) {
      const after = (how === 'crash' ? crashed : failed)(pod, time.clock.now());
      const { status } = after;
      // The simulated kubelet brings a crashed pod back by itself.
      void client.updateStatus(pods, { ...pod, status: status as JsonObject }, never);
    },
    compact: () => undefined,
    problems,
    close: () => time.until(embedded.close()),
  };
}
