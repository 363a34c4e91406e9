/** What every simulated node offers. */
export type NodeShape = {
  readonly cpu: string;
  readonly memory: string;
  readonly pods: number;
  readonly ephemeralStorage: string;
  /** True: tainted, so that the cluster's own scheduler does not use the node. */
  readonly isReserved?: boolean;
  /** Port of the simulated kubelet; a real kubelet's port unless given. */
  readonly kubeletPort?: number;
};

export const kubeletPortOf = ({ kubeletPort }: NodeShape): number => kubeletPort ?? 10_250;

export const usualShape: NodeShape = { cpu: '32', memory: '128Gi', pods: 110, ephemeralStorage: '500Gi' };

/** Marks simulated nodes; no others are changed. Also the key of the taint that reserves them. */
export const nodeLabel = 'sim.boathook.dev/node';

export const nodeNameOf = (prefix: string, index: number): string => `${prefix}${index + 1}`;

/** Each node has a /24 of its own: 10.128.0.0 and upwards, far from the nodes' own addresses. */
export const podCidrOf = (index: number): string => `10.${128 + ((index >> 8) & 127)}.${index & 255}.0/24`;

export const hostIpOf = (index: number): string => {
  const block = Math.floor(index / 250);
  return `10.${(block >> 8) & 127}.${block & 255}.${(index % 250) + 1}`;
};
