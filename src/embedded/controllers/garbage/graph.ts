import type { Node } from './node.ts';

const nobody: ReadonlySet<string> = new Set();

/** Who owns whom, by uid, over all resources. Owners need not exist. */
export class Graph {
  readonly #nodes = new Map<string, Node>();
  readonly #dependents = new Map<string, Set<string>>();
  /** Owners seen to vanish while something still refers to them. */
  readonly #gone = new Set<string>();

  get(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  uids(): Iterable<string> {
    return this.#nodes.keys();
  }

  /** Stores a state of an object; the answer is the one before. */
  put(node: Node): Node | undefined {
    const before = this.#nodes.get(node.uid);
    this.#nodes.set(node.uid, node);
    if (before !== undefined) this.#unlink(before, node);
    for (const { uid } of node.owners) this.#link(uid, node.uid);
    return before;
  }

  remove(uid: string): Node | undefined {
    const node = this.#nodes.get(uid);
    this.#nodes.delete(uid);
    if (node !== undefined) this.#unlink(node, undefined);
    if (this.#dependents.has(uid)) this.#gone.add(uid);
    return node;
  }

  /** Objects that name this owner, rightly or not. */
  dependentsOf(uid: string): ReadonlySet<string> {
    return this.#dependents.get(uid) ?? nobody;
  }

  /** The first dependent of a node that is one: in its namespace, unless the owner has none. */
  findDependent(owner: Node, isWanted: (dependent: Node) => boolean): Node | undefined {
    for (const uid of this.dependentsOf(owner.uid)) {
      const dependent = this.#nodes.get(uid);
      if (dependent === undefined || !mayOwn(owner, dependent)) continue;
      if (isWanted(dependent)) return dependent;
    }
    return undefined;
  }

  hasVanished(uid: string): boolean {
    return this.#gone.has(uid);
  }

  #link(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    if (known === undefined) this.#dependents.set(owner, new Set([dependent]));
    else known.add(dependent);
  }

  #unlink(before: Node, after: Node | undefined): void {
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

/** G6: a namespaced owner owns within its namespace only. */
export const mayOwn = (owner: Node, dependent: Node): boolean =>
  !owner.resource.namespaced || owner.namespace === dependent.namespace;
