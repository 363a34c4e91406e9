import { at, textAt } from '#base/json.ts';
import { isSurplus, Ranges, type Addressing } from './addressing.ts';
import { nodeNameOf } from './node-shape.ts';
import { PodAddresses } from './pod-addresses.ts';
import { annotationsOf, labelsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';

/** A node that is played here. */
export type SimulatedNode = {
  readonly index: number;
  readonly name: string;
  /** Known once the node is located. */
  hostIp: string;
  podCidr: string;
  addresses: PodAddresses;
  readonly images: Set<string>;
  /** Known to be a simulated one: another's node of the same name is never touched. */
  isOurs: boolean;
  /** Switched off by a call. */
  isOff: boolean;
  /** Switched off by the node's annotation, as anyone can. */
  isMarkedDown: boolean;
};

/** Of a node: no sign of life and no play while it says `true`. */
export const downAnnotation = 'sim.boathook.dev/down';

/** A node with this label plays a kubelet that can patch running containers. */
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

  /** Gives a node its addresses: those it shows already, or some that no other node has. */
  locate(simulated: SimulatedNode, shown: KubeObject | undefined, all: () => readonly KubeObject[]): void {
    if (simulated.podCidr !== '') return;
    const given: Addressing = this.#ranges.give(simulated.index, shown, all);
    simulated.hostIp = given.hostIp;
    simulated.podCidr = given.podCidr;
    simulated.addresses = new PodAddresses(given.podCidr);
  }

  /** Whether a node is one of this prefix that is not played any more. */
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

  /** The address a pod has, whatever others write; one that it shows from before; or one that it gets now. */
  addressOf(node: SimulatedNode, pod: KubeObject): string {
    const known = node.addresses.of(uidOf(pod));
    if (known !== undefined) return known;
    const shown = textAt(pod, 'status', 'podIP') ?? '';
    if (shown !== '') return shown;
    return isOnHost(pod) ? node.hostIp : node.addresses.give(uidOf(pod));
  }
}

const isOnHost = (pod: KubeObject): boolean => at(pod, 'spec', 'hostNetwork') === true;
