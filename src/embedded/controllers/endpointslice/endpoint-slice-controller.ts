import { millis } from '#base/time.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { objectKey, splitKey, type Delta } from '#loop/delta.ts';
import { createExpectations, type Expectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { ownSource } from '#loop/owned/owned.ts';
import { nodes, pods, services, slices } from '#loop/owned/resources.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { isTerminating, Refused, removeObject, writeObject } from '#loop/owned/write.ts';
import { isDeleting, labelsOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { decideSlices, managedLabel, manager, serviceLabel, type SlicePlan } from './decide.ts';
import { Pace } from './pace.ts';
import { podsOf, servicesOf } from './service-index.ts';

const zoneLabel = 'topology.kubernetes.io/zone';
/** Changes of many pods at once are written together. */
const rest = millis(100);

/** The service that a slice of ours belongs to. */
function serviceKey(slice: KubeObject): readonly string[] {
  const labels = labelsOf(slice);
  const name = labels[serviceLabel] ?? '';
  return labels[managedLabel] === manager && name !== '' ? [objectKey(namespaceOf(slice), name)] : [];
}

/** Keeps the EndpointSlices of each Service. */
export function endpointSliceController(deps: WorkloadDeps): Controller {
  const work = new SliceWork(deps);
  return runController({
    name: 'endpointslice',
    ...loopParts(deps),
    sources: [
      ownSource(work.services),
      { informer: work.pods, keysOf: (delta) => servicesOf(work.services, delta) },
      { informer: work.slices, keysOf: (delta) => work.afterSlice(delta) },
    ],
    informers: [work.nodes],
    reconcile: (key, signal) => work.reconcile(key, signal),
  });
}

class SliceWork {
  readonly services: Informer;
  readonly pods: Informer;
  readonly slices: Informer;
  readonly nodes: Informer;
  readonly expectations: Expectations;
  readonly #deps: WorkloadDeps;
  readonly #pace: Pace;

  constructor(deps: WorkloadDeps) {
    this.#deps = deps;
    this.services = deps.informers.informer({ resource: services });
    this.pods = deps.informers.informer({ resource: pods });
    this.slices = deps.informers.informer({ resource: slices, indexes: { service: serviceKey } });
    this.nodes = deps.informers.informer({ resource: nodes });
    this.expectations = createExpectations(deps.clock);
    this.#pace = new Pace(deps.clock, rest);
  }

  afterSlice({ type, object }: Delta): readonly string[] {
    const keys = serviceKey(object);
    for (const key of keys) {
      if (type === 'added') this.expectations.creationSeen(key, '');
      if (type === 'deleted' || isDeleting(object)) this.expectations.deletionSeen(key, uidOf(object));
    }
    return keys;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Next> {
    const { namespace, name } = splitKey(key);
    const service = this.services.get(namespace, name);
    const known = service && podsOf(this.pods, service);
    if (service === undefined || known === undefined || isDeleting(service)) {
      if (service === undefined) this.#forget(key);
      return settled;
    }
    const pending = this.expectations.pending(key);
    if (pending > 0) return wake(pending);
    const wait = this.#pace.wait(key);
    if (wait > 0) return wake(wait);
    const zoneOf = (node: string): string | undefined => {
      const found = this.nodes.get('', node);
      return found && labelsOf(found)[zoneLabel];
    };
    const plan = decideSlices({ service, pods: known, slices: this.slices.byIndex('service', key), zoneOf });
    await this.#act(key, plan, signal);
    return settled;
  }

  #forget(key: string): void {
    this.expectations.forget(key);
    this.#pace.forget(key);
  }

  async #act(key: string, { create, update, remove }: SlicePlan, signal: AbortSignal): Promise<void> {
    const { client } = this.#deps;
    if (create.length + update.length + remove.length > 0) this.#pace.worked(key);
    for (const slice of create) if ((await this.#create(key, slice, signal)) === 'refused') return;
    for (const slice of update) await writeObject(client, slices, slice, signal);
    for (const slice of remove) await removeObject(client, slices, slice, signal);
  }

  async #create(key: string, slice: KubeObject, signal: AbortSignal): Promise<'created' | 'refused'> {
    this.expectations.expectCreations(key, ['']);
    try {
      const outcome = await this.#deps.client.create(slices, slice, signal);
      if (outcome.type === 'ok') return 'created';
      if (!isTerminating(outcome)) throw new Refused(outcome);
    } catch (error) {
      this.expectations.creationSeen(key, '');
      throw error;
    }
    this.expectations.creationSeen(key, '');
    return 'refused';
  }
}
