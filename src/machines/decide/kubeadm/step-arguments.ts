import { endpointText } from '#machines/decide/environment.ts';
import type { OutlineStep, StepName } from '#machines/decide/install-outline.ts';
import type { DeclaredCluster, ClusterNode } from '#machines/decide/model.ts';
import { tagOf } from './configuration.ts';
import { dialectOf } from './version.ts';

/** Arguments of a step's script: its node, or flags that kubeadm has in that version. */
export const stepArguments = ({ name, about }: OutlineStep, cluster: DeclaredCluster): readonly string[] =>
  makers[name]?.(about, cluster) ?? [];

type Maker = (about: ClusterNode, cluster: DeclaredCluster) => readonly string[];

const aboutNode: Maker = ({ name }) => [name];
const aboutVersion: Maker = (_, { version }) => (version === undefined ? [] : [tagOf(version)]);
const uploading: Maker = (_, { version }) => [dialectOf(version).uploadCerts];

const makers: Readonly<Partial<Record<StepName, Maker>>> = {
  check: (_, { runtimeEndpoint }) => (runtimeEndpoint === undefined ? [] : [runtimeEndpoint]),
  init: uploading,
  invite: uploading,
  'join-master': (about, cluster) =>
    dialectOf(cluster.version).isExperimental ? experimentalJoin(about, cluster) : [],
  mark: ({ name, marks }) => [name, ...(marks?.labels ?? []), ...(marks?.taints ?? [])],
  'plan-upgrade': aboutVersion,
  'upgrade-first': aboutVersion,
  upgrade: (about, { version }) =>
    version !== undefined && dialectOf(version).isExperimental ? experimentalUpgrade(about, version) : [],
  drain: ({ name }, { version }) => [name, dialectOf(version).deleteEmptyDir],
  uncordon: aboutNode,
  forget: aboutNode,
};

/** Later versions have these values in `join.yaml`. */
const experimentalJoin = ({ name, address }: ClusterNode, cluster: DeclaredCluster): readonly string[] => [
  endpointText(cluster),
  '--experimental-control-plane',
  '--discovery-file',
  'discovery.conf',
  '--apiserver-advertise-address',
  address,
  '--node-name',
  name,
  ...(cluster.runtimeEndpoint === undefined ? [] : ['--cri-socket', cluster.runtimeEndpoint]),
];

/** Later versions detect the role of a node. */
const experimentalUpgrade = ({ roles }: ClusterNode, version: string): readonly string[] =>
  roles.includes('master') ? ['experimental-control-plane'] : ['config', '--kubelet-version', tagOf(version)];
