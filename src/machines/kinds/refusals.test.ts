import { expect, test } from 'vitest';
import { crdOf, objectSchema } from '#schema/kind/crd.ts';
import { decoderOf } from '#schema/kind/read-object.ts';
import { hookTemplate } from '#hooks/kinds/hook-template.ts';
import { hookRun } from '#hooks/kinds/hook-run.ts';
import type { Json, JsonObject } from '#base/json.ts';
import { defaultCrd } from '#schema/crd/default-crd.ts';
import { validateCrd } from '#schema/crd/validate-crd.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { cluster } from './cluster.ts';
import { machine } from './machine.ts';

const decode = { Cluster: decoderOf(cluster, compileSchema), Machine: decoderOf(machine, compileSchema) };

const login = { ip: '10.0.0.9', password: 'TGV0bWVpbg==' };
const specs = {
  Cluster: { type: 'Baremetal', machines: [login] },
  Machine: { type: 'Baremetal', clusterName: 'cls-1', ...login },
};

const objectOf = (kind: 'Cluster' | 'Machine', spec: JsonObject): JsonObject => ({
  apiVersion: 'platform.tkestack.io/v1',
  kind,
  metadata: { name: 'it' },
  spec: { ...specs[kind], ...spec },
});

/** What is said against an object; nothing when it is taken. */
function against(kind: 'Cluster' | 'Machine', spec: JsonObject): string {
  const result = decode[kind](objectOf(kind, spec));
  return result.type === 'decoded'
    ? ''
    : result.errors.map(({ field, message }) => `${field}: ${message}`).join('\n');
}

const hook = (value: Json): JsonObject => ({ features: { hooks: { PreInstall: value } } });
const between = (value: Json): JsonObject => ({ features: { upgrade: { betweenBatches: value } } });
const first = (entry: JsonObject): JsonObject => ({ machines: [{ ip: '10.0.0.9', ...entry }] });
const file = (...files: readonly JsonObject[]): JsonObject => ({ features: { files: [...files] } });

test.for([cluster, machine, hookTemplate, hookRun])(
  '$kind: a server takes the definition, and its rules cost little enough',
  (kind) => {
    const crd = defaultCrd(crdOf(kind));
    expect(validateCrd({ ...crd, status: { storedVersions: [kind.version] } })).toEqual([]);
  },
);

test.for<readonly [JsonObject, string]>([
  ...[5, 0, -1, 1.5, true, false, [], ['/x'], '', ' ', {}].flatMap((value) => [
    [hook(value), 'spec.features.hooks.PreInstall'] as const,
    [between(value), 'spec.features.upgrade.betweenBatches'] as const,
  ]),
  [hook({ templateName: '' }), 'templateName'],
  [hook({ templateName: 7 }), 'templateName in body must be of type string'],
  [hook({ templateName: 'No_Name' }), 'templateName in body should match'],
  [hook({ templateName: 't', namespace: '' }), 'namespace in body should match'],
  [hook({ templateName: 't', args: {} }), 'args in body must be of type array'],
  [hook({ templateName: 't', args: [{}] }), 'args[0].name: Required'],
  [hook({ templateName: 't', args: [{ name: 'a', value: 1 }] }), 'args[0].value in body must be of type'],
  [{ features: { hooks: { PreInstall: '/x', HookPreInstall: '/y' } } }, '"spec.features.hooks" must not'],
  [{ features: { hooks: ['/x'] } }, 'spec.features.hooks in body must be of type object'],
  [file({ src: 'a', dst: 'relative' }), 'spec.features.files[0].dst'],
  [file({ src: '', dst: '/a' }), 'spec.features.files[0].src'],
  [file({ dst: '/a' }), 'spec.features.files[0].src: Required'],
  [file({ src: 'a', dst: '/a' }, { src: 'b', dst: '/a' }), 'spec.features.files[1]: Duplicate'],
  [{ features: { upgrade: { batchSize: 0 } } }, 'batchSize'],
  [{ features: { upgrade: { strategy: { maxUnready: 'some' } } } }, 'maxUnready'],
  [{ features: { upgrade: { strategy: { drainNodeBeforeUpgrade: 'no' } } } }, 'drainNodeBeforeUpgrade'],
  [{ features: { upgrade: { mode: 'Never' } } }, 'supported values: "Auto", "Manual"'],
  [first({ password: 'eA==', labels: { disk: 'two words' } }), 'labels.disk in body should match'],
  [first({ password: 'eA==', labels: { disk: 1 } }), 'labels.disk in body must be of type string'],
  ...['', 'a b', '-a', 'a/b/c', 'UP/a', 'a=b', 'x'.repeat(318)].map((key): readonly [JsonObject, string] => [
    first({ password: 'eA==', taints: [{ key, effect: 'NoSchedule' }] }),
    'taints[0].key',
  ]),
  [first({ password: 'eA==', taints: [{ key: 'a', effect: 'Never' }] }), 'Unsupported value: "Never"'],
  [first({ password: 'eA==', taints: [{ key: 'a', value: ';', effect: 'NoExecute' }] }), 'taints[0].value'],
  [{ machines: [] }, 'at least 1 items'],
  [{ machines: [login, { ...login, port: 23 }] }, 'spec.machines[1]: Duplicate'],
  ...['', 'host', '1.2.3', '1.2.3.256', '010.0.0.1', '10.0.0.1.', '10.0.0.1 ', '10.0.0.0/8', 'x::1'].map(
    (ip): readonly [JsonObject, string] => [{ machines: [{ ...login, ip }] }, 'must be an IP address'],
  ),
  [first({}), 'password, privateKey or credentialsFrom is required'],
  [first({ password: '' }), 'password, privateKey or credentialsFrom is required'],
  [first({ password: 'eA==', credentialsFrom: { name: 'a' } }), 'give one or the other'],
  [first({ passPhrase: 'eA==', credentialsFrom: { name: 'a' } }), 'give one or the other'],
  [first({ credentialsFrom: { name: '../a' } }), 'credentialsFrom.name'],
  [first({ credentialsFrom: { name: 'a', namespace: 'b/c' } }), 'credentialsFrom.namespace'],
  [first({ password: 'eA==', port: 65_536 }), 'port'],
  [first({ password: 'eA==', proxy: { ip: '10.0.0.1', password: 'eA==' } }), 'proxy.type: Required'],
  [first({ password: 'eA==', proxy: { type: 'SSHJumpServer', ip: '10.0.0.1' } }), 'a login of its own'],
  [first({ password: 'eA==', proxy: { type: 'SOCKS5', ip: '10.0.0.1' } }), 'Unsupported value: "SOCKS5"'],
  [{ installer: 'ansible' }, 'supported values: "kubeadm", "commands", "none"'],
  [{ type: 'Imported' }, 'supported values: "Baremetal", "Edge"'],
  [{ clusterCIDR: '10.244.0.0' }, 'must be of type cidr'],
  [{ serviceCIDR: '10.96.0.0/33' }, 'must be of type cidr'],
  [{ version: 'latest; reboot' }, 'spec.version'],
  ...['soon', '-5m', '10', '0', '0s', ''].map((hookTimeout) => [{ hookTimeout }, 'hookTimeout'] as const),
  [{ hostKeys: { '10.0.0.9': 'MD5:00' } }, 'spec.hostKeys.10.0.0.9'],
])('%j is refused: %s', ([spec, says]) => {
  expect(against('Cluster', spec)).toContain(says);
});

test.for<readonly [JsonObject, string]>([
  [{ clusterName: '' }, 'clusterName'],
  [{ clusterName: 'No Name' }, 'clusterName'],
  [{ ip: 'host' }, 'must be an IP address'],
  [{ password: '' }, 'password, privateKey or credentialsFrom is required'],
  [{ credentialsFrom: { name: 'a' } }, 'give one or the other'],
])('a Machine with %j is refused: %s', ([spec, says]) => {
  expect(against('Machine', spec)).toContain(says);
});

test.for<JsonObject>([
  {},
  hook('/h/pre --fast'),
  hook({ templateName: 'slo-ok' }),
  hook({ templateName: 'slo-ok', namespace: 'ops', args: [{ name: 'a', value: 'b' }, { name: 'c' }] }),
  between('/h/pre'),
  between({ templateName: 'slo-ok' }),
  { features: { hooks: {} } },
  { features: { hooks: { HookPreInstall: '/h/pre', PostInstall: '/h/post' } } },
  file({ src: '/var/lib/hooks/a', dst: '/a b', recursive: true }),
  { machines: [login, { ...login, ip: 'fe80::1' }, { ...login, ip: '::ffff:10.0.0.1' }] },
  first({ credentialsFrom: { name: 'login.one', namespace: 'ops' }, username: 'admin' }),
  first({ privateKey: 'TGV0\nbWVp\nbg==\n', passPhrase: '' }),
  first({ password: 'eA==', labels: { 'example.com/disk': 'ssd', empty: '' } }),
  first({ password: 'eA==', taints: [{ key: `a.b/${'x'.repeat(63)}`, value: '1', effect: 'NoExecute' }] }),
  { features: { upgrade: { mode: 'Manual', strategy: { drainNodeBeforeUpgrade: false } } } },
  { version: 'v1.18.3-tke.1+x' },
  { version: '' },
  { hookTimeout: '1h30m' },
  { features: { enableMasterSchedule: true, ha: { tke: { vip: '10.0.0.1' } }, containerRuntime: 'docker' } },
  { networkDevice: 'eth0', kubeletExtraArgs: { a: 'b' }, properties: { maxNodePodNum: 64 } },
])('%j is taken whole', (spec) => {
  expect(against('Cluster', spec)).toBe('');
  const object = objectOf('Cluster', spec);
  expect(compileSchema(objectSchema(cluster)).unknownFieldPaths(object)).toEqual([]);
});

test('a slip of the pen is an unknown field, everywhere', () => {
  const object = objectOf('Cluster', {
    instaler: 'none',
    machines: [{ ...login, pasword: 'eA==' }],
    features: { hook: {}, hooks: { PreInstal: '/x' }, upgrade: { bachSize: 1 } },
  });
  expect(compileSchema(objectSchema(cluster)).unknownFieldPaths(object).toSorted()).toEqual([
    'spec.features.hook',
    'spec.features.hooks.PreInstal',
    'spec.features.upgrade.bachSize',
    'spec.instaler',
    'spec.machines[0].pasword',
  ]);
});

test.for(['password', 'privateKey', 'passPhrase'])('a refused %s is not repeated', (key) => {
  for (const value of ['sentinel!', 'sentinel', 'sentinel\u0000', `sentinel${'A'.repeat(20_000)}`, 5]) {
    const said = against('Cluster', first({ password: 'eA==', [key]: value }));
    expect(said === '' ? value : said).toMatch(/base64|Too long|of type string|^sentinel$/);
    if (said !== '') expect(said).not.toContain('sentinel');
  }
});

test('a template with both a body and a jsonBody is refused; a run is left to its controller', () => {
  const metric = { name: 'm', provider: { web: { url: 'http://x', body: 'a', jsonBody: { b: 1 } } } };
  const object = { metadata: { name: 'it' }, spec: { metrics: [metric] } };
  const inKind = (kind: typeof hookTemplate | typeof hookRun): JsonObject => ({
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: kind.kind,
    ...object,
  });
  const refused = decoderOf(hookTemplate, compileSchema)(inKind(hookTemplate));
  expect(JSON.stringify(refused)).toContain('provider.web\\" must not validate the schema (not)');
  expect(decoderOf(hookRun, compileSchema)(inKind(hookRun)).type).toBe('decoded');
});
