import { endpointText } from '#machines/decide/environment.ts';
import type { DeclaredCluster, ClusterNode, SecretRef } from '#machines/decide/model.ts';
import type { Attachment, ValuePiece } from '#machines/decide/plan.ts';
import { minorOf } from './version.ts';

const token: SecretRef = { type: 'derived', name: 'bootstrap-token', shape: 'bootstrap-token' };
const certificateKey: SecretRef = { type: 'derived', name: 'certificate-key', shape: 'certificate-key' };

const text = (line: string): ValuePiece => ({ type: 'text', text: line });
const secret = (ref: SecretRef): ValuePiece => ({ type: 'secret', ref });
const quoted = (value: string): string => JSON.stringify(value);
const lines = (...all: readonly string[]): ValuePiece =>
  text(`${all.filter((line) => line !== '').join('\n')}\n`);

/** For kubeadm 1.14, whose configuration has no field for the key, and whose masters join by flags. */
export const certificateKeyFile: Attachment = { name: 'certificate-key', content: [secret(certificateKey)] };
export const tokenFile: Attachment = { name: 'bootstrap-token', content: [secret(token)] };

/** `kubeadm init --config`: the token and the key are in this file only, never on a command line. */
export function initConfiguration(cluster: DeclaredCluster, node: ClusterNode): readonly ValuePiece[] {
  const version = apiVersionFor(cluster.version);
  return [
    lines(`apiVersion: ${version}`, 'kind: InitConfiguration', 'bootstrapTokens:', '- groups:'),
    lines('  - system:bootstrappers:kubeadm:default-node-token', '  ttl: 2h0m0s', '  usages:'),
    lines('  - signing', '  - authentication'),
    text('  token: "'),
    secret(token),
    text('"\n'),
    ...(hasCertificateKey(version) ? keyLine('') : []),
    lines('localAPIEndpoint:', `  advertiseAddress: ${quoted(node.address)}`, '  bindPort: 6443'),
    registration(cluster, node),
    lines('---', ...clusterConfiguration(cluster, version)),
  ];
}

/** `kubeadm join --config`: the CA comes from a file, so no server is trusted without verification. */
export function joinConfiguration(cluster: DeclaredCluster, node: ClusterNode): readonly ValuePiece[] {
  const version = apiVersionFor(cluster.version);
  const master = node.roles.includes('master');
  return [
    lines(`apiVersion: ${version}`, 'kind: JoinConfiguration', 'discovery:', '  file:'),
    lines('    kubeConfigPath: discovery.conf'),
    text('  tlsBootstrapToken: "'),
    secret(token),
    text('"\n'),
    ...(master
      ? [
          lines('controlPlane:', '  localAPIEndpoint:', `    advertiseAddress: ${quoted(node.address)}`),
          lines('    bindPort: 6443'),
          ...(hasCertificateKey(version) ? keyLine('  ') : []),
        ]
      : []),
    registration(cluster, node),
  ];
}

/** The address and CA of the cluster; no credentials. */
export const discoveryFile = (cluster: DeclaredCluster): readonly ValuePiece[] => [
  lines('apiVersion: v1', 'kind: Config', 'clusters:', '- name: ""', '  cluster:'),
  lines(`    server: ${quoted(`https://${endpointText(cluster)}`)}`),
  text('    certificate-authority-data: '),
  { type: 'artifact', name: 'ca.crt', encoding: 'base64' },
  text('\ncontexts: []\nusers: []\ncurrent-context: ""\n'),
];

const keyLine = (indent: string): readonly ValuePiece[] => [
  text(`${indent}certificateKey: "`),
  secret(certificateKey),
  text('"\n'),
];

const registration = ({ runtimeEndpoint }: DeclaredCluster, node: ClusterNode): ValuePiece =>
  lines(
    'nodeRegistration:',
    `  name: ${quoted(node.name)}`,
    runtimeEndpoint === undefined ? '' : `  criSocket: ${quoted(runtimeEndpoint)}`,
  );

function clusterConfiguration(cluster: DeclaredCluster, version: string): readonly string[] {
  const { version: kubernetes, podCidr, serviceCidr, dnsDomain, certificateNames } = cluster;
  const networking = [
    podCidr === undefined ? '' : `  podSubnet: ${quoted(podCidr)}`,
    serviceCidr === undefined ? '' : `  serviceSubnet: ${quoted(serviceCidr)}`,
    dnsDomain === undefined ? '' : `  dnsDomain: ${quoted(dnsDomain)}`,
  ].filter((line) => line !== '');
  const names = [...new Set([cluster.endpoint.host, ...certificateNames])];
  return [
    `apiVersion: ${version}`,
    'kind: ClusterConfiguration',
    `clusterName: ${quoted(cluster.id)}`,
    kubernetes === undefined ? '' : `kubernetesVersion: ${quoted(tagOf(kubernetes))}`,
    `controlPlaneEndpoint: ${quoted(endpointText(cluster))}`,
    'apiServer:',
    '  certSANs:',
    ...names.map((name) => `  - ${quoted(name)}`),
    ...(networking.length === 0 ? [] : ['networking:', ...networking]),
  ];
}

export const tagOf = (version: string): string => (version.startsWith('v') ? version : `v${version}`);

/** kubeadm reads the configuration versions of its own and a few earlier releases. */
const eras: readonly (readonly [number, string])[] = [
  [31, 'v1beta4'],
  [22, 'v1beta3'],
  [15, 'v1beta2'],
  [0, 'v1beta1'],
];

/** Without a version: the configuration version that most releases of kubeadm read. */
export function apiVersionFor(version: string | undefined): string {
  const minor = minorOf(version, 22);
  return `kubeadm.k8s.io/${eras.find(([from]) => minor >= from)?.[1] ?? 'v1beta3'}`;
}

const hasCertificateKey = (version: string): boolean => !version.endsWith('v1beta1');
