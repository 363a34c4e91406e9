import { formatMicroTime, type Instant } from '#base/time.ts';
import { annotationsOf, nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { objectAt } from '#base/json.ts';
import type { NodesDeps } from '#embedded/nodes/api/deps.ts';
import { WriteRefused } from '#embedded/nodes/api/refusal.ts';
import { leases } from '#embedded/nodes/api/resources.ts';
import { leaseNamespace, leaseObject } from './node-object.ts';
import { ownerAnnotation, otherOwner, type NodeOwner } from './node-owner.ts';

const fieldManager = 'kubelet';

/** The leases of the nodes: their heartbeat, and the lock by which one process owns a node. */
export class NodeLeases {
  readonly #deps: NodesDeps;
  readonly #owner: NodeOwner;

  constructor(deps: NodesDeps, owner: NodeOwner) {
    this.#deps = deps;
    this.#owner = owner;
  }

  /** Takes the node's lease. Returns the process that holds it, if another one does. */
  async claim(node: KubeObject, now: Instant, signal: AbortSignal): Promise<string | undefined> {
    const { client } = this.#deps;
    const found = await client.get(leases, keyOf(node), signal);
    if (found.type === 'not-found') return this.#create(node, now, signal);
    if (found.type !== 'ok') throw new WriteRefused(`the lease of ${nameOf(node)}`, found);
    const other = otherOwner(found.object, this.#owner, now);
    if (other !== undefined) return other;
    const taken = await client.update(leases, this.#taken(found.object, now), signal, { fieldManager });
    // A conflict means that another process was faster: the next try reads its lease.
    if (taken.type !== 'ok') throw new WriteRefused(`the lease of ${nameOf(node)}`, taken);
    return undefined;
  }

  /** Renews the lease. Returns the process that has taken the node meanwhile, if one has. */
  async renew(node: KubeObject, now: Instant, signal: AbortSignal): Promise<string | undefined> {
    const patch = {
      type: 'merge',
      body: { spec: { renewTime: formatMicroTime(now) } },
      fieldManager,
    } as const;
    const patched = await this.#deps.client.patch(leases, keyOf(node), patch, signal);
    if (patched.type === 'not-found') return this.#create(node, now, signal);
    return patched.type === 'ok' ? otherOwner(patched.object, this.#owner, now) : undefined;
  }

  /** The process that owns a node according to its lease. */
  async otherOwner(name: string, signal: AbortSignal): Promise<string | undefined> {
    const key = { namespace: leaseNamespace, name };
    const found = await this.#deps.client.get(leases, key, signal);
    return found.type === 'ok' ? otherOwner(found.object, this.#owner, this.#deps.clock.now()) : undefined;
  }

  async #create(node: KubeObject, now: Instant, signal: AbortSignal): Promise<undefined> {
    const wanted = this.#marked(leaseObject(node, formatMicroTime(now)));
    const created = await this.#deps.client.create(leases, wanted, signal, { fieldManager });
    if (created.type !== 'ok') throw new WriteRefused(`the lease of ${nameOf(node)}`, created);
  }

  #taken(lease: KubeObject, now: Instant): KubeObject {
    const spec = { ...objectAt(lease, 'spec'), renewTime: formatMicroTime(now) };
    return this.#marked({ ...lease, spec });
  }

  #marked(lease: KubeObject): KubeObject {
    if (this.#owner.id === '') return lease;
    return withMeta(lease, { annotations: { ...annotationsOf(lease), [ownerAnnotation]: this.#owner.id } });
  }
}

const keyOf = (node: KubeObject): { readonly namespace: string; readonly name: string } => ({
  namespace: leaseNamespace,
  name: nameOf(node),
});
