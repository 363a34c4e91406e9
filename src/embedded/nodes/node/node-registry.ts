import { at, textAt } from '#base/json.ts';
import { isSurplus, Ranges, type Addressing } from './addressing.ts';
import { nodeNameOf } from './node-shape.ts';
import { PodAddresses } from './pod-addresses.ts';
import { annotationsOf, labelsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';

/** A node that this process simulates. */
export type SimulatedNode = {
  readonly index: number;
  readonly name: string;
  /** Empty until the node has its addresses. */
  hostIp: string;
  podCidr: string;
  addresses: PodAddresses;
  readonly images: Set<string>;
  /** True once this process owns the node; other nodes of the same name are never changed. */
  isOurs: boolean;
  /** Switched off by a call. */
  isOff: boolean;
  /** Switched off by the node's annotation. */
  isMarkedDown: boolean;
};

/** On a node: no heartbeat and no pod syncs while it is `true`. */
export const downAnnotation = 'sim.boathook.dev/down';

/** The kubelet of a node with this label can patch running containers. */
const hotPatchLabel = 'boathook.dev/hot-patch';

export const hotPatches = (node: KubeObject | undefined): boolean =>
  node !== undefined && labelsOf(node)[hotPatchLabel] === 'true';

export const isDown = ({ isOff, isMarkedDown }: SimulatedNode): boolean => isOff || isMarkedDown;
export const isActive = (node: SimulatedNode): boolean => node.isOurs && !isDown(node);

/** The nodes of this process, by name. */
export class NodeRegistry {
  readonly #byName = new Map<string, SimulatedNode>();
  readonly #prefix: string;
  readonly #ranges: Ranges;

  constructor(count: number, prefix: string) {
    this.#prefix = prefix;
    this.#ranges = new Ranges(prefix);
    for (let index = 0; index < count; index += 1) {
      const name = nodeNameOf(prefix, index);
      this.#byName.set(name, {
        index,
        name,
        hostIp: '',
        podCidr: '',
        addresses: new PodAddresses(''),
        images: new Set(),
        isOurs: false,
        isOff: false,
        isMarkedDown: false,
      });
    }
  }

  get(name: string): SimulatedNode | undefined {
    return this.#byName.get(name);
  }

  all(): readonly SimulatedNode[] {
    return [...this.#byName.values()];
  }

  /** Gives a node its addresses: those in its status, or free ones. */
  locate(simulated: SimulatedNode, shown: KubeObject | undefined, all: () => readonly KubeObject[]): void {
    if (simulated.podCidr !== '') return;
    const given: Addressing = this.#ranges.give(simulated.index, shown, all);
    simulated.hostIp = given.hostIp;
    simulated.podCidr = given.podCidr;
    simulated.addresses = new PodAddresses(given.podCidr);
  }

  /** Whether a node has this prefix and is not simulated any more. */
  isSurplus(node: KubeObject): boolean {
    return isSurplus(node, this.#prefix, this.#byName.size);
  }

  /** Reads a node's annotation. True when that brought the node back. */
  mark(node: KubeObject): boolean {
    const simulated = this.#byName.get(nameOf(node));
    if (simulated === undefined) return false;
    const wasDown = isDown(simulated);
    simulated.isMarkedDown = annotationsOf(node)[downAnnotation] === 'true';
    return wasDown && !isDown(simulated);
  }

  of(pod: KubeObject): SimulatedNode | undefined {
    const name = textAt(pod, 'spec', 'nodeName') ?? '';
    return name === '' ? undefined : this.#byName.get(name);
  }

  /** The address that the pod was given here, or has in its status, or gets now. */
  addressOf(node: SimulatedNode, pod: KubeObject): string {
    const known = node.addresses.of(uidOf(pod));
    if (known !== undefined) return known;
    const shown = textAt(pod, 'status', 'podIP') ?? '';
    if (shown !== '') return shown;
    return isOnHost(pod) ? node.hostIp : node.addresses.give(uidOf(pod));
  }
}

const isOnHost = (pod: KubeObject): boolean => at(pod, 'spec', 'hostNetwork') === true;
