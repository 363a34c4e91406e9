import { millis } from '#base/time.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { splitKey } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { Pace } from '#embedded/controllers/endpointslice/pace.ts';
import { podsOf, servicesOf } from '#embedded/controllers/endpointslice/service-index.ts';
import { ownSource } from '#loop/owned/owned.ts';
import { endpoints, pods, services } from '#loop/owned/resources.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { isTerminating, Refused, removeObject, writeObject } from '#loop/owned/write.ts';
import { isDeleting } from '#kube/object.ts';
import { decideEndpoints, isOurs, type EndpointsStep } from './decide.ts';

/** Changes of many pods at once are written together. */
const rest = millis(100);

/** Keeps one Endpoints object per Service, for clients that do not read EndpointSlices. */
export function endpointsController(deps: WorkloadDeps): Controller {
  const work = new EndpointsWork(deps);
  return runController({
    name: 'endpoint',
    ...loopParts(deps),
    sources: [
      ownSource(work.services),
      { informer: work.pods, keysOf: (delta) => servicesOf(work.services, delta) },
      ownSource(work.endpoints),
    ],
    reconcile: (key, signal) => work.reconcile(key, signal),
  });
}

class EndpointsWork {
  readonly services: Informer;
  readonly pods: Informer;
  readonly endpoints: Informer;
  readonly #deps: WorkloadDeps;
  readonly #pace: Pace;
  /** Endpoints of other writers are deleted only if their Service was seen. */
  readonly #seen = new Set<string>();

  constructor(deps: WorkloadDeps) {
    this.#deps = deps;
    this.services = deps.informers.informer({ resource: services });
    this.pods = deps.informers.informer({ resource: pods });
    this.endpoints = deps.informers.informer({ resource: endpoints });
    this.#pace = new Pace(deps.clock, rest);
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Next> {
    const { namespace, name } = splitKey(key);
    const service = this.services.get(namespace, name);
    const known = this.endpoints.get(namespace, name);
    if (service === undefined) return this.#afterService(key, signal);
    this.#seen.add(key);
    const selected = podsOf(this.pods, service);
    if (selected === undefined || isDeleting(service)) return settled;
    const wait = this.#pace.wait(key);
    if (wait > 0) return wake(wait);
    const step = decideEndpoints(service, selected, known);
    if (step.type !== 'none') {
      this.#pace.worked(key);
      await this.#write(step, signal);
    }
    return settled;
  }

  async #write(step: EndpointsStep, signal: AbortSignal): Promise<void> {
    const { client } = this.#deps;
    if (step.type === 'none') return;
    if (step.type === 'update') {
      await writeObject(client, endpoints, step.object, signal);
      return;
    }
    const outcome = await client.create(endpoints, step.object, signal);
    if (outcome.type === 'ok' || outcome.type === 'exists' || isTerminating(outcome)) return;
    throw new Refused(outcome);
  }

  async #afterService(key: string, signal: AbortSignal): Promise<Next> {
    const { namespace, name } = splitKey(key);
    this.#pace.forget(key);
    const left = this.endpoints.get(namespace, name);
    const wasSeen = this.#seen.delete(key);
    if (left === undefined || !(wasSeen || isOurs(left))) return settled;
    await removeObject(this.#deps.client, endpoints, left, signal);
    return settled;
  }
}
