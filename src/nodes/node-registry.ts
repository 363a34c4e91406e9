import { textAt } from '#base/json.ts';
import { hostIpOf, nodeNameOf, podCidrOf } from './node/node-shape.ts';
import { PodAddresses } from './node/pod-addresses.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';

/** A node that is played here. */
export type PlayedNode = {
  readonly index: number;
  readonly name: string;
  readonly hostIp: string;
  readonly addresses: PodAddresses;
  readonly images: Set<string>;
  isDown: boolean;
};

/** The nodes of this process, by name. */
export class NodeRegistry {
  readonly #byName = new Map<string, PlayedNode>();

  constructor(count: number) {
    for (let index = 0; index < count; index += 1) {
      const name = nodeNameOf(index);
      this.#byName.set(name, {
        index,
        name,
        hostIp: hostIpOf(index),
        addresses: new PodAddresses(podCidrOf(index)),
        images: new Set(),
        isDown: false,
      });
    }
  }

  get(name: string): PlayedNode | undefined {
    return this.#byName.get(name);
  }

  all(): readonly PlayedNode[] {
    return [...this.#byName.values()];
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

const isOnHost = (pod: KubeObject): boolean => {
  const spec = pod['spec'];
  return typeof spec === 'object' && spec !== null && 'hostNetwork' in spec && spec['hostNetwork'] === true;
};
