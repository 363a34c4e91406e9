import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { allocateService, type ServicePool } from './admission-service.ts';
import { specOf } from '#base/json-edit.ts';
import { serviceRules } from './service.ts';
import { created, meta, refusals, texts, updateRefusals } from './testing/check.ts';

const service = (spec: JsonObject): JsonObject => ({
  spec: { selector: { app: 's' }, ports: [{ port: 80 }], ...spec },
});
const pool = (parts: Partial<ServicePool> = {}): ServicePool => ({
  random: seededRandom(1),
  range: '10.0.0.0/16',
  isAddressTaken: () => false,
  isPortTaken: () => false,
  ...parts,
});
const allocated = (object: JsonObject, old?: JsonObject): JsonObject => {
  const allocation = allocateService(object, pool(), old);
  return allocation.type === 'allocated' ? allocation.object : {};
};
const live = (spec: JsonObject): JsonObject => allocated(created(serviceRules, service(spec)));
const changed = (old: JsonObject, spec: JsonObject): JsonObject => {
  const defaulted = serviceRules.defaults?.({ ...old, spec }) ?? {};
  return allocated(serviceRules.prepareUpdate?.(defaulted, old) ?? {}, old);
};

test('a minimal service', () => {
  const made = live({});
  const address = specOf(made)['clusterIP'];
  expect(address).toMatch(/^10\.0\.\d+\.\d+$/);
  expect(made).toEqual({
    metadata: meta,
    spec: {
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
      selector: { app: 's' },
      clusterIP: address,
      clusterIPs: [address],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  });
});

test.for<readonly [what: string, spec: JsonObject, expected: JsonObject]>([
  ['headless', { clusterIP: 'None' }, { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'] }],
  [
    'headless without selector',
    { clusterIP: 'None', selector: {} },
    { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
  ],
  [
    'on nodes',
    { type: 'NodePort' },
    { externalTrafficPolicy: 'Cluster', ports: [{ nodePort: expect.any(Number) as number }] },
  ],
  [
    'balanced',
    { type: 'LoadBalancer' },
    { allocateLoadBalancerNodePorts: true, ports: [{ nodePort: expect.any(Number) as number }] },
  ],
  [
    'faithful',
    { sessionAffinity: 'ClientIP' },
    { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } },
  ],
  ['named ports', { ports: [{ port: 80, targetPort: 'web' }] }, { ports: [{ targetPort: 'web' }] }],
])('%s', ([, spec, expected]) => {
  expect(specOf(live(spec))).toMatchObject(expected);
});

test('an external name has no address and no policy', () => {
  const made = allocated(
    created(serviceRules, { spec: { type: 'ExternalName', externalName: 'x.example.com' } }),
  );
  expect(made['spec']).toEqual({
    type: 'ExternalName',
    externalName: 'x.example.com',
    sessionAffinity: 'None',
  });
});

test.for<readonly [what: string, spec: JsonObject, complaints: readonly unknown[]]>([
  ['no ports', { ports: [] }, ['spec.ports: Required value']],
  ['no ports and headless', { ports: [], clusterIP: 'None' }, []],
  [
    'port 0',
    { ports: [{ port: 0 }] },
    [
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
  ],
  [
    'ports without names',
    { ports: [{ port: 80 }, { port: 81 }] },
    ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
  ],
  [
    'the same name twice',
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 81, name: 'a' },
      ],
    },
    ['spec.ports[1].name: Duplicate value: "a"'],
  ],
  [
    'the same port twice',
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 80, name: 'b' },
      ],
    },
    [expect.stringMatching(/^spec\.ports\[1\]: Duplicate value: /)],
  ],
  [
    'a wrong target',
    { ports: [{ port: 80, targetPort: 'Bad_Name' }] },
    [
      'spec.ports[0].targetPort: Invalid value: "Bad_Name": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    ],
  ],
  [
    'a wrong protocol',
    { ports: [{ port: 80, protocol: 'X' }] },
    ['spec.ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"'],
  ],
  [
    'a node port inside',
    { ports: [{ port: 80, nodePort: 30_001 }] },
    ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
  ],
  [
    'the same node port twice',
    {
      type: 'NodePort',
      ports: [
        { port: 80, name: 'a', nodePort: 30_001 },
        { port: 81, name: 'b', nodePort: 30_001 },
      ],
    },
    ['spec.ports[1].nodePort: Duplicate value: 30001'],
  ],
  [
    'an unknown type',
    { type: 'Bogus' },
    [
      'spec.type: Unsupported value: "Bogus": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
  ],
  [
    'no address',
    { clusterIP: 'x' },
    ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  ['no external name', { type: 'ExternalName' }, ['spec.externalName: Required value']],
  [
    'a headless node port',
    { type: 'NodePort', clusterIP: 'None' },
    ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
  ],
  [
    'unknown affinity',
    { sessionAffinity: 'Maybe' },
    ['spec.sessionAffinity: Unsupported value: "Maybe": supported values: "ClientIP", "None"'],
  ],
  [
    'affinity for too long',
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
    [
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
    ],
  ],
  [
    'external traffic from nowhere',
    { externalTrafficPolicy: 'Local' },
    [
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ],
  ],
  [
    'unknown policies',
    { internalTrafficPolicy: 'X', ipFamilyPolicy: 'Y', ipFamilies: ['Z'] },
    [
      'spec.ipFamilies[0]: Unsupported value: "Z": supported values: "IPv4", "IPv6"',
      'spec.ipFamilyPolicy: Unsupported value: "Y": supported values: "SingleStack", "PreferDualStack", "RequireDualStack"',
      'spec.internalTrafficPolicy: Unsupported value: "X": supported values: "Cluster", "Local"',
    ],
  ],
])('%s', ([, spec, complaints]) => {
  expect(refusals(serviceRules, service(spec))).toEqual(complaints);
});

test('an update without an address keeps it', () => {
  const old = live({});
  const after = changed(old, { selector: { app: 's' }, ports: [{ port: 81 }] });
  expect(specOf(after)).toEqual({ ...specOf(old), ports: [{ protocol: 'TCP', port: 81, targetPort: 81 }] });
});

test('an address may not change', () => {
  const old = live({});
  expect(
    updateRefusals(serviceRules, { ...old, spec: { ...specOf(old), clusterIP: '10.0.99.99' } }, old),
  ).toEqual(['spec.clusterIPs[0]: Invalid value: []string{"10.0.99.99"}: may not change once set']);
});

test('node ports come, stay and go with the type', () => {
  const old = live({});
  const outside = changed(old, { ...specOf(old), type: 'NodePort' });
  const [port] = specOf(outside)['ports'] as readonly JsonObject[];
  expect(port?.['nodePort']).toBeGreaterThanOrEqual(30_000);
  const again = changed(outside, { type: 'NodePort', selector: { app: 's' }, ports: [{ port: 80 }] });
  expect(specOf(again)).toEqual(specOf(outside));
  expect(changed(outside, { ...specOf(outside), type: 'ClusterIP' })).toEqual(old);
});

test('an external name gives everything back', () => {
  const old = live({});
  expect(
    changed(old, { ...specOf(old), type: 'ExternalName', externalName: 'q.example.com' })['spec'],
  ).toEqual({
    ports: specOf(old)['ports'],
    selector: { app: 's' },
    type: 'ExternalName',
    sessionAffinity: 'None',
    externalName: 'q.example.com',
  });
});

test('only balanced services have an ingress', () => {
  const status = { loadBalancer: { ingress: [{ ip: '1.1.1.1' }] } };
  const check = (type: string): string[] =>
    texts(serviceRules.validateStatusUpdate?.({ spec: { type }, status }, {}) ?? []);
  expect(check('LoadBalancer')).toEqual([]);
  expect(check('ClusterIP')).toEqual([
    "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
  ]);
});

const refused = (spec: JsonObject, parts: Partial<ServicePool>): string[] => {
  const allocation = allocateService(created(serviceRules, service(spec)), pool(parts));
  return allocation.type === 'refused' ? texts(allocation.errors) : [];
};

test.for<readonly [what: string, spec: JsonObject, parts: Partial<ServicePool>, complaint: string]>([
  [
    'an address outside',
    { clusterIP: '1.2.3.4' },
    {},
    'spec.clusterIPs: Invalid value: []string{"1.2.3.4"}: failed to allocate IP 1.2.3.4: the provided IP (1.2.3.4) is not in the valid range. The range of valid IPs is 10.0.0.0/16',
  ],
  [
    'a taken address',
    { clusterIP: '10.0.0.9' },
    { isAddressTaken: () => true },
    'spec.clusterIPs: Invalid value: []string{"10.0.0.9"}: failed to allocate IP 10.0.0.9: provided IP is already allocated',
  ],
  [
    'no address left',
    {},
    { range: '10.0.0.0/30', isAddressTaken: () => true },
    'spec.clusterIPs: Invalid value: []string(nil): failed to allocate a serviceIP: range is full',
  ],
  [
    'a port outside',
    { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
    {},
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  [
    'a taken port',
    { type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }] },
    { isPortTaken: () => true },
    'spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated',
  ],
  [
    'no port left',
    { type: 'NodePort' },
    { isPortTaken: () => true },
    'spec.ports[0].nodePort: Invalid value: 0: failed to allocate a nodePort: range is full',
  ],
])('%s', ([, spec, parts, complaint]) => {
  expect(refused(spec, parts)).toEqual([complaint]);
});

test('taken addresses and ports are passed over', () => {
  const spec = {
    type: 'NodePort',
    ports: [
      { port: 80, name: 'a' },
      { port: 81, name: 'b' },
    ],
  };
  const free = new Set([30_005, 30_009]);
  const allocation = allocateService(
    created(serviceRules, service(spec)),
    pool({
      range: '10.0.0.0/29',
      isAddressTaken: (ip) => ip !== '10.0.0.6',
      isPortTaken: (port) => !free.has(port),
    }),
  );
  const made = allocation.type === 'allocated' ? specOf(allocation.object) : {};
  expect(made['clusterIP']).toBe('10.0.0.6');
  expect(new Set((made['ports'] as readonly JsonObject[]).map((port) => port['nodePort']))).toEqual(free);
});

test('a dry run pretends', () => {
  const parts = { dryRun: true };
  expect(refused({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }, parts)).toEqual([]);
  const allocation = allocateService(created(serviceRules, service({ type: 'NodePort' })), pool(parts));
  expect(allocation).toMatchObject({ object: { spec: { ports: [{ nodePort: 32_769 }] } } });
});

test('services are selected by address and type', () => {
  const made = live({ clusterIP: 'None' });
  expect(serviceRules.selectableFields['spec.clusterIP']?.(made)).toBe('None');
  expect(serviceRules.selectableFields['spec.type']?.(made)).toBe('ClusterIP');
});
