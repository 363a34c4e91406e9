import type { MetadataChange, MetadataInformers } from '#embedded/controllers/metadata/metadata-informers.ts';
import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { seconds } from '#base/time.ts';
import { runController, type Controller, type KeySource } from '#loop/controller.ts';
import { Refused } from '#loop/owned/write.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { groupOf, uidOf } from '#kube/object.ts';
import { decide, type GarbageStep } from './decide.ts';
import { OwnerGraph } from './graph.ts';
import { invalidOwnerEvent } from './invalid-owner-event.ts';
import { hasSameOwners, isAlike, nodeOf, type GraphNode } from './node.ts';
import type { OwnerReference } from './owner-reference.ts';
import { scopeOfResource, type OwnerScope } from './owner-state.ts';
import { stepRequest } from './step-request.ts';
import { viewOf, type GarbageView } from './view.ts';

const parallel = 32;
const unknownKindDelay = seconds(30);
const unseenOwnerDelay = seconds(5);

export type GarbageDeps = WorkloadDeps & { readonly metadata: MetadataInformers };

/** Deletes objects whose owners are gone, and ends foreground and orphaning deletions. */
export function garbageCollector(deps: GarbageDeps): Controller {
  const work = new GarbageWork(deps);
  const { metadata } = deps;
  const source: KeySource = {
    synced: metadata.synced,
    subscribe: (add) =>
      metadata.subscribe((change) => {
        for (const uid of work.afterChange(change)) add(uid);
      }),
  };
  return runController({
    name: 'garbage-collector',
    ...loopParts(deps, parallel),
    sources: [source],
    reconcile: (uid, signal) => work.reconcile(uid, signal),
  });
}

class GarbageWork {
  readonly #deps: GarbageDeps;
  readonly #graph = new OwnerGraph();
  /** Objects with an owner of a kind that is not served, or one that no informer has shown yet. */
  readonly #waiting = new Set<string>();
  /** Owners that the server has shown, but no informer. */
  readonly #unseen = new Set<string>();
  /** Pairs of dependent and owner for which an event was sent. */
  readonly #reported = new Set<string>();

  constructor(deps: GarbageDeps) {
    this.#deps = deps;
  }

  /** The uids of the objects that a change concerns. */
  *afterChange({ resource, delta }: MetadataChange): Generator<string> {
    if (delta.type === 'deleted') yield* this.#afterDeletion(uidOf(delta.object));
    else yield* this.#afterUpdate(nodeOf(resource, delta.object));
    if (resource.plural === 'customresourcedefinitions') yield* this.#waiting;
  }

  *#afterDeletion(uid: string): Generator<string> {
    const node = this.#graph.remove(uid);
    this.#waiting.delete(uid);
    yield* this.#graph.dependentsOf(uid);
    if (node === undefined) return;
    yield* this.#finishingOwners(node);
    for (const owner of node.owners) this.#reported.delete(pairOf(node, owner));
  }

  *#afterUpdate(node: GraphNode): Generator<string> {
    const before = this.#graph.put(node);
    this.#unseen.delete(node.uid);
    if (before !== undefined && isAlike(before, node)) return;
    if (node.owners.length > 0 || isFinishing(node)) yield node.uid;
    if (isFinishing(node) && node.phase !== before?.phase) yield* this.#graph.dependentsOf(node.uid);
    if (before !== undefined && !hasSameOwners(before, node)) yield* this.#finishingOwners(before);
  }

  *#finishingOwners(node: GraphNode): Generator<string> {
    for (const { uid } of node.owners) {
      const owner = this.#graph.get(uid);
      if (owner !== undefined && isFinishing(owner)) yield uid;
    }
  }

  async reconcile(uid: string, signal: AbortSignal): Promise<Next> {
    const node = this.#graph.get(uid);
    if (node === undefined) return settled;
    const unseen = await this.#unseenOwners(node, signal);
    const view = viewOf(this.#graph, node, { scopeOf: (reference) => this.#scopeOf(reference), unseen });
    await this.#reportInvalid(view, signal);
    const step = decide(view);
    const isWaiting = step.type === 'look later' || unseen.size > 0;
    if (!isWaiting) this.#waiting.delete(uid);
    else if (this.#graph.get(uid) !== undefined) this.#waiting.add(uid);
    await this.#perform(node, step, signal);
    if (!isWaiting) return settled;
    return wake(step.type === 'look later' ? unknownKindDelay : unseenOwnerDelay);
  }

  /**
   * Owners that exist although no informer has shown them yet: an object may be seen before its owner. Nothing is
   * deleted for an absent owner without a request to the server.
   */
  async #unseenOwners(node: GraphNode, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const unseen = new Set<string>();
    for (const owner of node.owners) {
      if (this.#graph.get(owner.uid) !== undefined || this.#graph.isGone(owner.uid)) continue;
      const exists = await this.#exists(node, owner, signal);
      if (exists === true) unseen.add(owner.uid);
      if (exists === false) this.#graph.markGone(owner.uid);
    }
    return unseen;
  }

  /** Asks the server. Undefined when that is impossible because the kind of the owner is not served. */
  async #exists(node: GraphNode, owner: OwnerReference, signal: AbortSignal): Promise<boolean | undefined> {
    const resource = this.#resourceOf(owner);
    // The objects of a kind go with its definition.
    if (resource === undefined) return this.#unseen.delete(owner.uid) ? false : undefined;
    if (resource.namespaced && node.namespace === '') return undefined;
    if (owner.name === '') return false;
    const key = { namespace: node.namespace, name: owner.name };
    const outcome = await this.#deps.client.get(resource, key, signal);
    if (outcome.type !== 'ok' && outcome.type !== 'not-found') throw new Refused(outcome);
    const isFound = outcome.type === 'ok' && uidOf(outcome.object) === owner.uid;
    if (isFound) this.#unseen.add(owner.uid);
    else this.#unseen.delete(owner.uid);
    return isFound;
  }

  /** The object is addressed in the version that is served now. */
  async #perform(node: GraphNode, step: GarbageStep, signal: AbortSignal): Promise<void> {
    const { group, kind } = node.resource;
    const resource = this.#deps.metadata.find(group, kind) ?? node.resource;
    const request = stepRequest(node, step);
    if (request === undefined || !resource.verbs.includes(request.verb)) return;
    const key = { namespace: node.namespace, name: node.name };
    const { client } = this.#deps;
    const outcome =
      request.verb === 'delete'
        ? await client.remove(resource, key, signal, request.options)
        : await client.patch(resource, key, { type: 'merge', body: request.body }, signal);
    if (outcome.type !== 'ok' && outcome.type !== 'not-found') throw new Refused(outcome);
  }

  #resourceOf({ apiVersion, kind }: OwnerReference): DiscoveredResource | undefined {
    return this.#deps.metadata.find(groupOf(apiVersion), kind);
  }

  #scopeOf(reference: OwnerReference): OwnerScope {
    const resource = this.#resourceOf(reference);
    return resource === undefined ? 'unknown' : scopeOfResource(resource);
  }

  /** A refused event does not hold up the work. */
  async #reportInvalid({ node, owners }: GarbageView, signal: AbortSignal): Promise<void> {
    for (const [i, owner] of node.owners.entries()) {
      const isInvalid = owners[i] === 'elsewhere' || owners[i] === 'unresolvable';
      if (!isInvalid || this.#reported.has(pairOf(node, owner))) continue;
      this.#reported.add(pairOf(node, owner));
      const { client, clock, random, report } = this.#deps;
      const event = invalidOwnerEvent(node, owner, clock.now(), random);
      const outcome = await client.create(events, event, signal);
      if (outcome.type !== 'ok')
        report('an event was refused', { controller: 'garbage-collector', why: outcome.message }, 'warn');
    }
  }
}

const events = { group: '', version: 'v1', plural: 'events', namespaced: true };

const isFinishing = ({ phase }: GraphNode): boolean => phase === 'waiting' || phase === 'orphaning';
const pairOf = (node: GraphNode, owner: OwnerReference): string => `${node.uid} ${owner.uid}`;
