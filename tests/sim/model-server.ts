import { seededRandom } from '#base/random.ts';
import type { VirtualTime } from '#edge/virtual-time.ts';
import { nodes } from '#loop/owned/resources.ts';
import { ModelApi } from './model-api/model-api.ts';
import { ModelBudgets } from './model-api/model-budgets.ts';
import { ModelClaims } from './model-api/model-claims.ts';
import { modelClient } from './model-api/model-client.ts';
import { ModelGarbage } from './model-api/model-garbage.ts';
import { ModelKubelets, nodeNames } from './model-api/model-kubelets.ts';
import { ModelNodes, nodeOf } from './model-api/model-nodes.ts';
import { ModelWatches } from './model-api/model-watch.ts';
import type { SimServer } from './sim-server.ts';

/** The small server in memory. */
export function modelServer({ clock, tasks }: VirtualTime, seed: number): SimServer {
  const random = seededRandom(seed);
  const api = new ModelApi({ clock, random });
  const watches = new ModelWatches({ store: api.store, clock, random });
  const kubelets = new ModelKubelets({ api, clock, random });
  kubelets.begin();
  new ModelGarbage({ api, clock, random }).begin();
  new ModelBudgets({ api, clock, random }).begin();
  new ModelClaims({ api, clock, random }).begin();
  for (const name of nodeNames) api.create(nodes, nodeOf(name));
  return {
    client: modelClient({ api, watches, tasks, random }),
    subscribe: (listener) => api.store.subscribe(listener),
    stored: (storage, namespace) => [...api.store.within(storage, namespace).values()],
    hurt: (pod, how) => (how === 'crash' ? kubelets.crash(pod) : kubelets.fail(pod)),
    nodes: new ModelNodes({ api, clock, kubelets, nodeNames }),
    compact: () => api.store.compact(),
    problems: [],
    close: () => Promise.resolve(),
  };
}
