import { numberAt, type JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { formatTime, millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { VirtualTime } from '#edge/virtual-time.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { definition } from '../../support/kuard.ts';
import { ModelApi, outcomeOf } from '../model-api/model-api.ts';
import { modelClient, type ModelClientDeps } from '../model-api/model-client.ts';
import { ModelGarbage } from '../model-api/model-garbage.ts';
import type { ModelKind } from '../model-api/model-kinds.ts';
import { ModelWatches } from '../model-api/model-watch.ts';
import type { ProcessSight } from './process-sight.ts';

export const namespace = 'default';

export const kuards: ModelKind = {
  group: 'extensions.triggermesh.io',
  version: 'v1',
  plural: 'kuards',
  namespaced: true,
  kind: 'Kuard',
  apiVersion: 'extensions.triggermesh.io/v1',
  storage: 'extensions.triggermesh.io/kuards',
  isCustom: true,
  hasStatus: true,
  hasGeneration: true,
  defaults: (object) => object,
  shape: () => {
    throw new Error('custom resources have no strategic merge patch');
  },
};

export const registrations: Resource = {
  group: 'scoby.triggermesh.io',
  version: 'v1alpha1',
  plural: 'crdregistrations',
  namespaced: false,
};
const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const definitionStorage = 'apiextensions.k8s.io/customresourcedefinitions';
const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };

/** The server of a world with registrations. */
export class RegistrationServer {
  readonly api: ModelApi;
  /** The process whose request is done now. */
  actor: ProcessSight | undefined;
  readonly #clientDeps: ModelClientDeps;

  constructor(time: VirtualTime, seed: number) {
    const { clock, tasks } = time;
    const random = seededRandom(seed);
    this.api = new ModelApi({ clock, random });
    this.api.serve(kuards);
    const watches = new ModelWatches({ store: this.api.store, clock, random });
    this.#clientDeps = { api: this.api, watches, tasks, random };
    new ModelGarbage({ api: this.api, clock, random }).begin();
    this.api.store.subscribe(({ storage, type, object }) => {
      if (storage === 'apps/deployments' && type !== 'DELETED') this.#roll(time, object);
    });
    this.api.create(namespaces, { metadata: { name: namespace } });
    const crd = this.api.create(definitions, definition());
    const established = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));
    this.api.set(definitionStorage, { ...crd, status: { conditions: established } });
  }

  /** The client of one process. */
  clientOf(sight: ProcessSight): KubeClient {
    const act: ModelClientDeps['act'] = (request) => {
      this.actor = sight;
      const outcome = request();
      this.actor = undefined;
      return outcome;
    };
    return modelClient({ ...this.#clientDeps, act });
  }

  stored(storage: string): readonly KubeObject[] {
    return this.api.store.all(storage);
  }

  /** A user writes; what does not fit the moment is refused, as by a real server. */
  write(request: () => KubeObject): void {
    outcomeOf(request);
  }

  /** As the controller of Deployments does, a moment later. */
  #roll({ clock }: VirtualTime, deployment: KubeObject): void {
    const generation = numberAt(deployment, 'metadata', 'generation') ?? 1;
    if (numberAt(deployment, 'status', 'observedGeneration') === generation) return;
    clock.after(millis(1500), () => {
      const now = this.api.store.get('apps/deployments', namespaceOf(deployment), nameOf(deployment));
      if (now === undefined || uidOf(now) !== uidOf(deployment)) return;
      const replicas = numberAt(now, 'spec', 'replicas') ?? 1;
      const status: JsonObject = {
        observedGeneration: numberAt(now, 'metadata', 'generation') ?? 1,
        replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
        conditions: [{ type: 'Available', status: 'True', lastTransitionTime: formatTime(clock.now()) }],
      };
      this.api.set('apps/deployments', { ...now, status });
    });
  }
}
