import { expect, test } from 'vitest';
import { crdOf, objectSchema } from '#schema/kind/crd.ts';
import { decoderOf } from '#schema/kind/read-object.ts';
import type { Json, JsonObject } from '#base/json.ts';
import { parseYaml } from '#edge/yaml.ts';
import { defaultCrd } from '#schema/crd/default-crd.ts';
import { validateCrd } from '#schema/crd/validate-crd.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { crdRegistration } from './crd-registration.ts';

const decode = decoderOf(crdRegistration, compileSchema);

/** The manifest that the kind was made for, letter by letter. */
const seed = `apiVersion: scoby.triggermesh.io/v1alpha1
kind: CRDRegistration
metadata:
  name: kuard
spec:
  crd: kuards.extensions.triggermesh.io
  hook:
    # Hook API implemented version.
    version: 1

    address:
      # URI
      uri: http://my-hook-service
      # Object reference
      ref:
        apiVersion: v1
        kind: Service
        name: my-service

    # ISO 8601 duration
    timeout: PT10S

    capabilities:
    - pre-reconcile
    - post-reconcile
    - finalize

  workload:
    formFactor:
      deployment:
        replicas: 1
        service:
          port: 80
          targetPort: 8080
    fromImage:
      repo: gcr.io/kuar-demo/kuard-amd64:blue

    parameterConfiguration:
      addEnvsFromHook:
      - '*'

    statusConfiguration:
      # Look for this condition at response from webhook
      conditionsFromHook:
      - type: KuardReady
`;

test('a server takes the definition, and its rules cost little enough', () => {
  const crd = defaultCrd(crdOf(crdRegistration));
  const stored = { ...crd, status: { storedVersions: ['v1alpha1'] } };
  expect(validateCrd(stored)).toEqual([]);
});

test('the registration of the seed is taken as it stands, nothing of it dropped', () => {
  const [object] = parseYaml(seed) as [JsonObject];
  expect(decode(object)).toEqual({ type: 'decoded', object });
  expect(compileSchema(objectSchema(crdRegistration)).unknownFieldPaths(object)).toEqual([]);
});

test('printer columns: CRD and Ready', () => {
  expect(crdRegistration.columns.map(({ name }) => name).slice(0, 2)).toEqual(['CRD', 'Ready']);
  expect(crdRegistration).toMatchObject({ scope: 'Cluster', shortNames: ['crdreg'], hasStatus: true });
});

type Parts = { readonly spec?: JsonObject; readonly workload?: JsonObject; readonly hook?: JsonObject };

const manifest = ({ spec = {}, workload = {}, hook }: Parts): JsonObject => ({
  apiVersion: 'scoby.triggermesh.io/v1alpha1',
  kind: 'CRDRegistration',
  metadata: { name: 'kuard' },
  spec: {
    crd: 'kuards.extensions.triggermesh.io',
    workload: { fromImage: { repo: 'kuard' }, ...workload },
    ...(hook === undefined ? {} : { hook: { version: 1, address: { uri: 'http://h' }, ...hook } }),
    ...spec,
  },
});

const fromHook = { conditionsFromHook: [{ type: 'A' }] };
const parameters = (parameterConfiguration: JsonObject): Parts => ({ workload: { parameterConfiguration } });

test.for<[string, Parts]>([
  ['version 1', { hook: { version: 1 } }],
  ['version "1"', { hook: { version: '1' } }],
  ['version v1', { hook: { version: 'v1' } }],
  ['a ref alone', { hook: { address: { ref: { kind: 'Service', name: 's' } } } }],
  ['10s', { hook: { timeout: '10s' } }],
  ['PT0.5S', { hook: { timeout: 'PT0.5S' } }],
  ['P1D', { hook: { resyncPeriod: 'P1D' } }],
  ['an empty form factor', { workload: { formFactor: {} } }],
  ['maxScale 0', { workload: { formFactor: { knativeService: { minScale: 3, maxScale: 0 } } } }],
  [
    'a condition with a domain',
    { hook: {}, workload: { statusConfiguration: { conditionsFromHook: [{ type: 'example.com/Ready' }] } } },
  ],
  ['conditions of a hook', { hook: {}, workload: { statusConfiguration: fromHook } }],
  ['an empty list without a hook', parameters({ addEnvsFromHook: [] })],
  ['$.spec', parameters({ fromSpec: { skip: [{ path: '$.spec.a' }] } })],
])('%s is fine', ([, parts]) => {
  expect(decode(manifest(parts))).toMatchObject({ type: 'decoded' });
});

test.for<[string, Parts, string]>([
  ['version 2', { hook: { version: 2 } }, 'spec.hook.version'],
  ['version v2', { hook: { version: 'v2' } }, 'spec.hook.version'],
  ['an empty address', { hook: { address: {} } }, 'spec.hook.address'],
  ['a timeout in words', { hook: { timeout: 'ten seconds' } }, 'spec.hook.timeout'],
  ['a timeout below nothing', { hook: { timeout: 'PT-1S' } }, 'spec.hook.timeout'],
  ['finalization', { hook: { capabilities: ['finalization'] } }, 'spec.hook.capabilities[0]'],
  ['a capability twice', { hook: { capabilities: ['finalize', 'finalize'] } }, 'spec.hook.capabilities[1]'],
  ['a strange payload', { hook: { payload: 'all' } }, 'spec.hook.payload'],
  ['too large replies', { hook: { maxReplyBytes: 5_000_000 } }, 'spec.hook.maxReplyBytes'],
  ['two bundles', { hook: { tls: { caBundle: 'x', caBundleFrom: {} } } }, 'spec.hook.tls'],
  ['a crd without a group', { spec: { crd: 'kuards' } }, 'spec.crd'],
  ['a crd in capitals', { spec: { crd: 'Kuards.example.com' } }, 'spec.crd'],
  [
    'two form factors',
    { workload: { formFactor: { deployment: {}, knativeService: {} } } },
    'spec.workload.formFactor',
  ],
  [
    'replicas below 0',
    { workload: { formFactor: { deployment: { replicas: -1 } } } },
    'spec.workload.formFactor.deployment.replicas',
  ],
  [
    'port 0',
    { workload: { formFactor: { deployment: { service: { port: 0, targetPort: 80 } } } } },
    'spec.workload.formFactor.deployment.service.port',
  ],
  [
    'a port that is none',
    { workload: { formFactor: { deployment: { service: { port: 80, targetPort: 65_536 } } } } },
    'spec.workload.formFactor.deployment.service.targetPort',
  ],
  [
    'more pods at least than at most',
    { workload: { formFactor: { knativeService: { minScale: 3, maxScale: 2 } } } },
    'spec.workload.formFactor.knativeService',
  ],
  ['no image', { workload: { fromImage: {} } }, 'spec.workload.fromImage.repo'],
  [
    'a bad name of a variable',
    parameters({ add: { toEnv: [{ name: '1a', value: '' }] } }),
    'spec.workload.parameterConfiguration.add.toEnv[0].name',
  ],
  [
    'a path outside spec',
    parameters({ fromSpec: { skip: [{ path: 'status.a' }] } }),
    'spec.workload.parameterConfiguration.fromSpec.skip[0].path',
  ],
  [
    'an unknown function',
    parameters({ fromSpec: { toEnv: [{ path: 'spec.a', valueFrom: { builtInFunc: { name: 'eval' } } }] } }),
    'spec.workload.parameterConfiguration.fromSpec.toEnv[0].valueFrom.builtInFunc.name',
  ],
  [
    'a status path outside status',
    { workload: { statusConfiguration: { add: [{ path: 'spec.a', valueFrom: { path: 'spec.b' } }] } } },
    'spec.workload.statusConfiguration.add[0].path',
  ],
  [
    'a status path of ours',
    {
      workload: {
        statusConfiguration: { add: [{ path: 'status.address.url', valueFrom: { path: 'spec.b' } }] },
      },
    },
    'spec.workload.statusConfiguration.add[0].path',
  ],
  [
    'a condition of ours',
    { hook: {}, workload: { statusConfiguration: { conditionsFromHook: [{ type: 'Ready' }] } } },
    'spec.workload.statusConfiguration.conditionsFromHook[0].type',
  ],
  [
    'a condition that no status can have',
    { hook: {}, workload: { statusConfiguration: { conditionsFromHook: [{ type: 'Is it ready?' }] } } },
    'spec.workload.statusConfiguration.conditionsFromHook[0].type',
  ],
  [
    'a condition twice',
    { hook: {}, workload: { statusConfiguration: { conditionsFromHook: [{ type: 'A' }, { type: 'A' }] } } },
    'spec.workload.statusConfiguration.conditionsFromHook[1]',
  ],
  ['conditions without a hook', { workload: { statusConfiguration: fromHook } }, 'spec'],
  ['variables without a hook', parameters({ addEnvsFromHook: ['*'] }), 'spec'],
  ['no workers', { spec: { concurrency: 0 } }, 'spec.concurrency'],
])('%s is refused', ([, parts, field]) => {
  const decoded = decode(manifest(parts));
  expect(decoded.type === 'refused' && decoded.errors[0]).toMatchObject({ field });
});

test('crd cannot be changed', () => {
  const schema = compileSchema(objectSchema(crdRegistration));
  const before = manifest({});
  expect(schema.validate(manifest({ spec: { crd: 'others.example.com' } }), before)).toMatchObject([
    { field: 'spec.crd', message: expect.stringMatching(/cannot be changed/) },
  ]);
  expect(schema.validate(manifest({ spec: { concurrency: 9 } }), before)).toEqual([]);
});

test('a URI that cannot be read is a text like any other to the server', () => {
  expect(decode(manifest({ hook: { address: { uri: 'http://[' } } }) as Json)).toMatchObject({
    type: 'decoded',
  });
});
