import { describe, expect, test } from 'vitest';
import { compileEggo } from '#machines/decide/eggo.ts';
import type { Attachment, JobStep, ValuePiece } from '#machines/decide/plan.ts';
import { stepsOf } from '#machines/decide/plan.ts';
import { planOperation } from '#machines/decide/plan-operation.ts';
import { problemText } from '#machines/decide/problem.ts';
import { factsOf } from '#machines/decide/testing/facts.ts';
import { apiVersionFor } from './configuration.ts';
import { checkKubeadm, kubeadmInstaller } from './installer.ts';

const declaration = compileEggo(
  {
    'cluster-id': 'harbour',
    password: 'sentinel',
    'kubernetes-version': '1.30.2',
    'runtime-endpoint': 'unix:///run/containerd/containerd.sock',
    'dns-domain': 'harbour.local',
    'apiserver-endpoint': 'api.harbour.local:7443',
    'apiserver-cert-sans': { dnsnames: ['api.example.com'], ips: ['10.9.9.9'] },
    service: { cidr: '10.32.0.0/16' },
    network: { podcidr: '10.244.0.0/16' },
    masters: [
      { name: 'm1', ip: '10.0.0.1' },
      { name: 'm2', ip: '10.0.0.2' },
    ],
    workers: [{ name: 'w1', ip: '10.0.0.3' }],
  },
  '/d.yaml',
  { agent: false, home: '/' },
);

const plan = planOperation({
  operation: 'cluster.create',
  declaration,
  facts: factsOf(),
  nodes: [],
  installer: kubeadmInstaller('/crds'),
  parallel: 5,
  force: false,
});
const job = (title: string, node?: string): JobStep | undefined =>
  stepsOf(plan).find(
    (step): step is JobStep =>
      step.kind === 'install' && step.title === title && (node === undefined || step.id.endsWith(`/${node}`)),
  );
const shown = (piece: ValuePiece): string => {
  if (piece.type === 'text') return piece.text;
  if (piece.type === 'node') return `<${piece.fact}>`;
  return piece.type === 'secret'
    ? `<${piece.ref.type === 'derived' ? piece.ref.name : ''}>`
    : `<${piece.name}>`;
};
const attached = (step: JobStep | undefined, name: string): string =>
  (step?.attachments.find((each: Attachment) => each.name === name)?.content ?? []).map(shown).join('');

test('init: the whole configuration, token and key by reference only', () => {
  expect(attached(job('init'), 'init.yaml')).toBe(`apiVersion: kubeadm.k8s.io/v1beta3
kind: InitConfiguration
bootstrapTokens:
- groups:
  - system:bootstrappers:kubeadm:default-node-token
  ttl: 2h0m0s
  usages:
  - signing
  - authentication
  token: "<bootstrap-token>"
certificateKey: "<certificate-key>"
localAPIEndpoint:
  advertiseAddress: "10.0.0.1"
  bindPort: 6443
nodeRegistration:
  name: "m1"
  criSocket: "unix:///run/containerd/containerd.sock"
---
apiVersion: kubeadm.k8s.io/v1beta3
kind: ClusterConfiguration
clusterName: "harbour"
kubernetesVersion: "v1.30.2"
controlPlaneEndpoint: "api.harbour.local:7443"
apiServer:
  certSANs:
  - "api.harbour.local"
  - "api.example.com"
  - "10.9.9.9"
networking:
  podSubnet: "10.244.0.0/16"
  serviceSubnet: "10.32.0.0/16"
  dnsDomain: "harbour.local"
`);
});

test('join of a master: with the certificate key; of a worker: without', () => {
  expect(attached(job('join-master', 'm2'), 'join.yaml')).toBe(`apiVersion: kubeadm.k8s.io/v1beta3
kind: JoinConfiguration
discovery:
  file:
    kubeConfigPath: discovery.conf
  tlsBootstrapToken: "<bootstrap-token>"
controlPlane:
  localAPIEndpoint:
    advertiseAddress: "10.0.0.2"
    bindPort: 6443
  certificateKey: "<certificate-key>"
nodeRegistration:
  name: "m2"
  criSocket: "unix:///run/containerd/containerd.sock"
`);
  const worker = attached(job('join-worker', 'w1'), 'join.yaml');
  expect(worker).toContain('name: "w1"');
  expect(worker).not.toContain('certificateKey');
  expect(attached(job('join-worker', 'w1'), 'discovery.conf')).toContain(
    'server: "https://api.harbour.local:7443"\n    certificate-authority-data: <ca.crt>\n',
  );
});

test('no secret stands in the plan', () => {
  expect(JSON.stringify(plan)).not.toContain('sentinel');
});

test.for([
  ['1.14.10', 'v1beta1'],
  ['v1.18.3', 'v1beta2'],
  ['1.22.0', 'v1beta3'],
  ['1.30.2', 'v1beta3'],
  ['1.31.0', 'v1beta4'],
  ['1.35.1', 'v1beta4'],
  [undefined, 'v1beta3'],
] as const)('kubeadm of %s reads %s', ([version, expected]) => {
  expect(apiVersionFor(version)).toBe(`kubeadm.k8s.io/${expected}`);
});

test.for([
  ['1.13.12', true],
  ['v1.9.0', true],
  ['0.21.0', true],
  ['1.14.0', false],
  ['v1.18.3-tke.1+x', false],
  ['2.0.0', false],
  ['', false],
] as const)('kubeadm of %s is too old: %s', ([version, expected]) => {
  const cluster = { ...declaration.cluster, version };
  for (const operation of ['cluster.create', 'node.join', 'cluster.upgrade', 'bootstrap'] as const)
    expect(checkKubeadm(operation, cluster).length > 0, operation).toBe(expected);
  expect(checkKubeadm('cluster.delete', cluster), 'what is there can always be removed').toEqual([]);
});

test.for([
  ['1.14.10', '--experimental-upload-certs', ['experimental-control-plane']],
  ['1.15.0', '--upload-certs', []],
  ['1.30.2', '--upload-certs', []],
] as const)('flags of kubeadm %s', ([version, upload, upgrade]) => {
  const jobs = (operation: 'cluster.create' | 'cluster.upgrade'): readonly JobStep[] =>
    stepsOf(
      planOperation({
        operation,
        declaration: { ...declaration, cluster: { ...declaration.cluster, version } },
        facts: factsOf(),
        nodes: [],
        installer: kubeadmInstaller('/crds'),
        parallel: 5,
        force: false,
      }),
    ).filter((step): step is JobStep => step.kind === 'install');
  const made = jobs('cluster.create');
  expect(made.find(({ title }) => title === 'init')?.argv).toEqual([upload]);
  const joined = made.find(({ title }) => title === 'join-master');
  const isExperimental = version === '1.14.10';
  expect(joined?.argv.includes('--experimental-control-plane')).toBe(isExperimental);
  expect(joined?.attachments.some(({ name }) => name === 'join.yaml')).toBe(!isExperimental);
  const second = jobs('cluster.upgrade').find(({ title, id }) => title === 'upgrade' && id.includes('m2'));
  expect(second?.argv).toEqual(upgrade);
});

test.for(['cluster.create', 'cluster.upgrade', 'cluster.delete', 'node.join', 'node.delete'] as const)(
  'every step of %s between the hooks has a condition that reports it',
  (operation) => {
    const steps = stepsOf(
      planOperation({
        operation,
        declaration,
        facts: factsOf(),
        nodes: ['w1'],
        installer: kubeadmInstaller('/crds'),
        parallel: 5,
        force: false,
      }),
    );
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter(({ condition }) => condition === undefined).map(({ id }) => id)).toEqual([]);
  },
);

describe('an upgrade', () => {
  test('needs the version', () => {
    const { version: _unknown, ...cluster } = declaration.cluster;
    expect(checkKubeadm('cluster.upgrade', cluster).map(problemText)).toEqual([
      '/d.yaml: /kubernetes-version: an upgrade needs the version to upgrade to',
    ]);
    expect(checkKubeadm('cluster.upgrade', declaration.cluster)).toEqual([]);
    expect(checkKubeadm('cluster.create', cluster)).toEqual([]);
  });
});
