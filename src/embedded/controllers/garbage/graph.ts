import type { GraphNode } from './node.ts';

const none: ReadonlySet<string> = new Set();

/** Objects and their owners by uid, over all resources. Owners need not exist. */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();
  /** Owners that are deleted, while something still refers to them. */
  readonly #gone = new Set<string>();

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  uids(): Iterable<string> {
    return this.#nodes.keys();
  }

  /** Stores a state of an object and returns the one before. */
  put(node: GraphNode): GraphNode | undefined {
    const before = this.#nodes.get(node.uid);
    this.#nodes.set(node.uid, node);
    this.#gone.delete(node.uid);
    if (before !== undefined) this.#unlink(before, node);
    for (const { uid } of node.owners) this.#link(uid, node.uid);
    return before;
  }

  remove(uid: string): GraphNode | undefined {
    const node = this.#nodes.get(uid);
    this.#nodes.delete(uid);
    if (node !== undefined) this.#unlink(node, undefined);
    this.markGone(uid);
    return node;
  }

  /** Remembers that an owner no longer exists, for as long as something refers to it. */
  markGone(uid: string): void {
    if (this.#dependents.has(uid)) this.#gone.add(uid);
  }

  /** Objects that name this owner, rightly or not. */
  dependentsOf(uid: string): ReadonlySet<string> {
    return this.#dependents.get(uid) ?? none;
  }

  /** The first dependent of an owner that it may own. */
  findDependent(owner: GraphNode, isWanted: (dependent: GraphNode) => boolean): GraphNode | undefined {
    for (const uid of this.dependentsOf(owner.uid)) {
      const dependent = this.#nodes.get(uid);
      if (dependent === undefined || !mayOwn(owner, dependent)) continue;
      if (isWanted(dependent)) return dependent;
    }
    return undefined;
  }

  isGone(uid: string): boolean {
    return this.#gone.has(uid);
  }

  #link(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    if (known === undefined) this.#dependents.set(owner, new Set([dependent]));
    else known.add(dependent);
  }

  #unlink(before: GraphNode, after: GraphNode | undefined): void {
    for (const { uid } of before.owners) {
      if (after?.owners.some((owner) => owner.uid === uid)) continue;
      const known = this.#dependents.get(uid);
      known?.delete(before.uid);
      if (known?.size !== 0) continue;
      this.#dependents.delete(uid);
      this.#gone.delete(uid);
    }
  }
}

/** A namespaced owner owns objects of its namespace only. */
export const mayOwn = (owner: GraphNode, dependent: GraphNode): boolean =>
  !owner.resource.namespaced || owner.namespace === dependent.namespace;
