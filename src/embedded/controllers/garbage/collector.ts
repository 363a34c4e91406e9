import { seconds } from '#base/time.ts';
import type { ObjectChange, ResourceRef } from '#embedded/controllers/in-process/cluster.ts';
import type { Controller, ControllerDeps } from '#embedded/controllers/in-process/controller.ts';
import { isConflict } from '#embedded/controllers/in-process/refused.ts';
import { apiVersionOf } from '#embedded/controllers/in-process/resource-path.ts';
import { send } from '#embedded/controllers/in-process/send.ts';
import { kindLookup } from '#embedded/controllers/in-process/served-resources.ts';
import { uidOf } from '#kube/object.ts';
import { settled, wake, WorkQueue, type Next } from '#loop/work-queue.ts';
import { decide, type Sight, type Step } from './decide.ts';
import { Graph } from './graph.ts';
import { invalidOwnerEvent } from './invalid-owner-event.ts';
import { lookAt } from './look.ts';
import { hasSameOwners, isAlike, nodeOf, type Node } from './node.ts';
import type { OwnerReference } from './owner-reference.ts';
import { scopeOfResource, type Scope } from './owner-state.ts';
import { stepRequest } from './step-request.ts';

const parallel = 32;
const unknownKindDelay = seconds(30);

/** G5, G6: deletes what nobody owns any more, and ends foreground and orphaning deletions. */
export class GarbageCollector implements Controller {
  readonly #deps: ControllerDeps;
  readonly #graph = new Graph();
  readonly #queue: WorkQueue;
  readonly #kindOf: ReturnType<typeof kindLookup>;
  /** Objects with an owner of a kind nobody serves. */
  readonly #puzzled = new Set<string>();
  /** Pairs of dependent and owner that were told about. */
  readonly #reported = new Set<string>();

  constructor(deps: ControllerDeps) {
    this.#deps = deps;
    this.#kindOf = kindLookup(deps.cluster);
    this.#queue = new WorkQueue({
      ...deps,
      report: deps.log,
      isExpected: isConflict,
      name: 'garbage-collector',
      parallel,
      run: (uid, signal) => this.#run(uid, signal),
    });
  }

  seed(): void {
    const { cluster } = this.#deps;
    for (const resource of cluster.resources().filter(isCollected)) {
      for (const object of cluster.list(resource)) this.#graph.put(nodeOf(resource, object));
    }
    for (const uid of this.#graph.uids()) {
      const node = this.#graph.get(uid);
      if (node !== undefined && isConcerned(node)) this.#queue.add(uid);
    }
  }

  observe({ resource, type, object }: ObjectChange): void {
    if (!isCollected(resource)) return;
    if (type === 'DELETED') this.#vanished(uidOf(object));
    else this.#changed(nodeOf(resource, object));
    if (resource.plural === 'customresourcedefinitions')
      for (const uid of this.#puzzled) this.#queue.add(uid);
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #vanished(uid: string): void {
    const node = this.#graph.remove(uid);
    this.#puzzled.delete(uid);
    for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent);
    if (node === undefined) return;
    this.#wakeOwners(node);
    for (const owner of node.owners) this.#reported.delete(pairOf(node, owner));
  }

  #changed(node: Node): void {
    const before = this.#graph.put(node);
    if (before !== undefined && isAlike(before, node)) return;
    if (isConcerned(node)) this.#queue.add(node.uid);
    if (isFinishing(node) && node.phase !== before?.phase) {
      for (const dependent of this.#graph.dependentsOf(node.uid)) this.#queue.add(dependent);
    }
    if (before !== undefined && !hasSameOwners(before, node)) this.#wakeOwners(before);
  }

  #wakeOwners(node: Node): void {
    for (const { uid } of node.owners) {
      const owner = this.#graph.get(uid);
      if (owner !== undefined && isFinishing(owner)) this.#queue.add(uid);
    }
  }

  async #run(uid: string, signal: AbortSignal): Promise<Next> {
    const node = this.#graph.get(uid);
    if (node === undefined) return settled;
    const sight = lookAt(this.#graph, node, (reference) => this.#scopeOf(reference));
    await this.#reportInvalid(sight, signal);
    const step = decide(sight);
    if (step.type === 'look later') {
      this.#puzzled.add(uid);
      return wake(unknownKindDelay);
    }
    this.#puzzled.delete(uid);
    await this.#carryOut(node, step, signal);
    return settled;
  }

  /** The object is addressed in the version served now, which may have changed since it was last seen. */
  async #carryOut(node: Node, step: Step, signal: AbortSignal): Promise<void> {
    const { kind } = node.resource;
    const resource = this.#kindOf({ apiVersion: apiVersionOf(node.resource), kind }) ?? node.resource;
    const request = stepRequest({ ...node, resource }, step);
    if (request === undefined || !resource.verbs.includes(request.method.toLowerCase())) return;
    await send(this.#deps.cluster, request, signal, [404]);
  }

  #scopeOf(reference: OwnerReference): Scope {
    const resource = this.#kindOf(reference);
    return resource === undefined ? 'unknown' : scopeOfResource(resource);
  }

  /** Telling is a courtesy: a refused event does not hold up the work. */
  async #reportInvalid({ node, owners }: Sight, signal: AbortSignal): Promise<void> {
    for (const [i, owner] of node.owners.entries()) {
      const isInvalid = owners[i] === 'elsewhere' || owners[i] === 'unresolvable';
      if (!isInvalid || this.#reported.has(pairOf(node, owner))) continue;
      this.#reported.add(pairOf(node, owner));
      const { cluster, clock, random, log } = this.#deps;
      const event = invalidOwnerEvent(node, owner, clock.now(), random);
      await send(cluster, event, signal).catch((error: unknown) => {
        log('an event was refused', { controller: 'garbage-collector', why: String(error) });
      });
    }
  }
}

/** Events belong to nobody and expire by themselves. */
const isCollected = ({ group, plural }: ResourceRef): boolean =>
  plural !== 'events' || (group !== '' && group !== 'events.k8s.io');

const isFinishing = ({ phase }: Node): boolean => phase === 'waiting' || phase === 'orphaning';
const isConcerned = (node: Node): boolean => node.owners.length > 0 || isFinishing(node);
const pairOf = (node: Node, owner: OwnerReference): string => `${node.uid} ${owner.uid}`;
