import type { JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { digest } from './identity.ts';
import type { Addressing } from './addressing.ts';
import { kubeletPortOf, nodeLabel, type NodeShape } from './node-shape.ts';
import { readyConditions } from './node-status.ts';

/** A node as a kubelet registers it. */
export function nodeObject(
  { index, name, hostIp, podCidr }: Addressing & { readonly index: number; readonly name: string },
  shape: NodeShape,
  now: Instant,
): KubeObject {
  const amounts = amountsOf(shape);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/region': 'sim',
        'topology.kubernetes.io/zone': `sim-${'abc'.charAt(index % 3)}`,
        [nodeLabel]: 'true',
      },
      annotations: { 'node.alpha.kubernetes.io/ttl': '0' },
    },
    spec: {
      podCIDR: podCidr,
      podCIDRs: [podCidr],
      providerID: `sim://${name}`,
      ...(shape.isReserved === true && { taints: [{ key: nodeLabel, value: 'true', effect: 'NoSchedule' }] }),
    },
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: readyConditions([], now),
      addresses: [
        { type: 'InternalIP', address: hostIp },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPortOf(shape) } },
      nodeInfo: nodeInfo(name),
    },
  };
}

const amountsOf = ({ cpu, memory, pods, ephemeralStorage }: NodeShape): JsonObject => ({
  cpu,
  'ephemeral-storage': ephemeralStorage,
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory,
  pods: String(pods),
});

function nodeInfo(name: string): JsonObject {
  const id = digest(name);
  const uuid = `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`;
  return {
    machineID: id.slice(0, 32),
    systemUUID: uuid,
    bootID: uuid,
    kernelVersion: '6.8.0-sim',
    osImage: 'Boathook simulated node',
    containerRuntimeVersion: 'sim://1.0.0',
    kubeletVersion: 'v1.32.4',
    kubeProxyVersion: 'v1.32.4',
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
}

/** The lease that a kubelet renews as its heartbeat. */
export function leaseObject(node: KubeObject, renewTime: string): KubeObject {
  const name = nameOf(node);
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: leaseNamespace,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: uidOf(node) }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
  };
}

export const leaseNamespace = 'kube-node-lease';
