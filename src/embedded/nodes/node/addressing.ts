import { at, isObject, listAt, textAt } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { hashNumber } from '#embedded/nodes/tuning/draw.ts';
import { hostIpOf, podCidrOf } from './node-shape.ts';

/** The addresses of a node and of its pods. */
export type Addressing = { readonly hostIp: string; readonly podCidr: string };

/** The number of pod ranges that `podCidrOf` can produce. */
const ranges = 32_768;
const usualPrefix = 'node-';

/** Gives every node its own range of addresses, also when other processes simulate nodes in the same cluster. */
export class Ranges {
  readonly #first: number;
  #taken: Set<string> | undefined;

  /** Nodes of another prefix begin at another range, so that two processes that start together do not collide. */
  constructor(prefix: string) {
    this.#first = prefix === usualPrefix ? 0 : hashNumber(prefix) % ranges;
  }

  /** The addresses in the node's status, or the first free ones. */
  give(index: number, shown: KubeObject | undefined, all: () => readonly KubeObject[]): Addressing {
    this.#taken ??= new Set(all().flatMap(rangesOf));
    const number = this.#free(index, this.#taken);
    const fresh = { hostIp: hostIpOf(number), podCidr: podCidrOf(number) };
    const given = shown === undefined ? fresh : { ...fresh, ...shownBy(shown) };
    this.#taken.add(given.podCidr);
    return given;
  }

  #free(index: number, taken: ReadonlySet<string>): number {
    for (let tries = 0; tries < ranges; tries += 1) {
      const number = (this.#first + index + tries) % ranges;
      if (!taken.has(podCidrOf(number))) return number;
    }
    return (this.#first + index) % ranges;
  }
}

function rangesOf(node: KubeObject): readonly string[] {
  const all = listAt(node, 'spec', 'podCIDRs').filter((each) => typeof each === 'string');
  const first = textAt(node, 'spec', 'podCIDR');
  return first === undefined ? all : [first, ...all];
}

/** Pods of the node already have addresses of this range. */
function shownBy(node: KubeObject): Partial<Addressing> {
  const podCidr = textAt(node, 'spec', 'podCIDR') ?? '';
  const hostIp = listAt(node, 'status', 'addresses')
    .filter(isObject)
    .find((each) => at(each, 'type') === 'InternalIP');
  const address = textAt(hostIp, 'address');
  return {
    ...(/^\d+\.\d+\.\d+\.0\/24$/.test(podCidr) && { podCidr }),
    ...(address !== undefined && { hostIp: address }),
  };
}

/** A node that an earlier run of the same prefix had and this one has not. */
export function isSurplus(node: KubeObject, prefix: string, count: number): boolean {
  const name = nameOf(node);
  const number = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^[1-9]\d{0,4}$/.test(number) && Number(number) > count;
}
