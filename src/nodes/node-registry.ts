import { at, textAt } from '#base/json.ts';
import { hostIpOf, nodeNameOf, podCidrOf } from './node/node-shape.ts';
import { PodAddresses } from './node/pod-addresses.ts';
import { annotationsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';

/** A node that is played here. */
export type PlayedNode = {
  readonly index: number;
  readonly name: string;
  readonly hostIp: string;
  readonly addresses: PodAddresses;
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

export const isDown = ({ isOff, isMarkedDown }: PlayedNode): boolean => isOff || isMarkedDown;
export const isPlayed = (node: PlayedNode): boolean => node.isOurs && !isDown(node);

/** The nodes of this process, by name. */
export class NodeRegistry {
  readonly #byName = new Map<string, PlayedNode>();

  constructor(count: number, prefix: string) {
    for (let index = 0; index < count; index += 1) {
      const name = nodeNameOf(prefix, index);
      this.#byName.set(name, {
        index,
        name,
        hostIp: hostIpOf(index),
        addresses: new PodAddresses(podCidrOf(index)),
        images: new Set(),
        isOurs: false,
        isOff: false,
        isMarkedDown: false,
      });
    }
  }

  get(name: string): PlayedNode | undefined {
    return this.#byName.get(name);
  }

  all(): readonly PlayedNode[] {
    return [...this.#byName.values()];
  }

  /** Reads a node's annotation. True when that brought the node back. */
  mark(node: KubeObject): boolean {
    const played = this.#byName.get(nameOf(node));
    if (played === undefined) return false;
    const wasDown = isDown(played);
    played.isMarkedDown = annotationsOf(node)[downAnnotation] === 'true';
    return wasDown && !isDown(played);
  }

  of(pod: KubeObject): PlayedNode | undefined {
    const name = textAt(pod, 'spec', 'nodeName') ?? '';
    return name === '' ? undefined : this.#byName.get(name);
  }

  /** The address a pod shows, or gets now. */
  addressOf(node: PlayedNode, pod: KubeObject): string {
    const shown = textAt(pod, 'status', 'podIP') ?? '';
    if (shown !== '') return shown;
    return isOnHost(pod) ? node.hostIp : node.addresses.give(uidOf(pod));
  }
}

const isOnHost = (pod: KubeObject): boolean => at(pod, 'spec', 'hostNetwork') === true;
