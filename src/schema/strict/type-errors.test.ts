import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { typeErrors } from './type-errors.ts';

const short: Readonly<Record<string, string>> = {
  ConfigMap: 'api.core.v1.ConfigMap',
  Secret: 'api.core.v1.Secret',
  Pod: 'api.core.v1.Pod',
  Deployment: 'api.apps.v1.Deployment',
  Lease: 'api.coordination.v1.Lease',
  Review: 'api.authorization.v1.SubjectAccessReview',
  Definition: 'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
};
const check = (kind: string, object: JsonObject): string | undefined =>
  typeErrors(`io.k8s.${short[kind]}`, object);
const container = (members: JsonObject): JsonObject => ({ spec: { containers: [members] } });
const schema = (members: JsonObject): JsonObject => ({
  spec: { versions: [{ schema: { openAPIV3Schema: members } }] },
});
const quantityText =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

describe('values of a wrong type', () => {
  test.for([
    ['ConfigMap', { data: { x: 1 } }, 'number into Go struct field ConfigMap.data of type string'],
    ['ConfigMap', { data: [] }, 'array into Go struct field ConfigMap.data of type map[string]string'],
    [
      'ConfigMap',
      { metadata: { labels: { a: true } } },
      'bool into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'ConfigMap',
      { metadata: { uid: {} } },
      'object into Go struct field ObjectMeta.metadata.uid of type types.UID',
    ],
    [
      'ConfigMap',
      { binaryData: { a: 1 } },
      'number into Go struct field ConfigMap.binaryData of type []uint8',
    ],
    ['ConfigMap', { immutable: 'yes' }, 'string into Go struct field ConfigMap.immutable of type bool'],
    [
      'Deployment',
      { spec: { replicas: 'x' } },
      'string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'Deployment',
      { spec: { replicas: 3e9 } },
      'number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'Deployment',
      { spec: { replicas: 1.5 } },
      'number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    ['Deployment', { spec: 'x' }, 'string into Go struct field Deployment.spec of type v1.DeploymentSpec'],
    [
      'Pod',
      { spec: { containers: {} } },
      'object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      'Pod',
      container({ name: 1 }),
      'number into Go struct field Container.spec.containers.name of type string',
    ],
    [
      'Pod',
      container({ args: [1] }),
      'number into Go struct field Container.spec.containers.args of type string',
    ],
    [
      'Pod',
      container({ imagePullPolicy: 1 }),
      'number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy',
    ],
    [
      'Pod',
      container({ resources: { limits: [] } }),
      'array into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
    ],
    [
      'Pod',
      { spec: { volumes: [{ emptyDir: 1 }] } },
      'number into Go struct field Volume.spec.volumes.emptyDir of type v1.EmptyDirVolumeSource',
    ],
    [
      'Pod',
      { metadata: { creationTimestamp: 5 } },
      'number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
    ],
    [
      'Review',
      { spec: { extra: { a: 'x' } } },
      'string into Go struct field SubjectAccessReviewSpec.spec.extra of type v1.ExtraValue',
    ],
    [
      'Review',
      { spec: { extra: { a: [1] } } },
      'number into Go struct field SubjectAccessReviewSpec.spec.extra of type string',
    ],
    [
      'Deployment',
      { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
      'bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
    ],
    [
      'Definition',
      schema({ items: { type: 5 } }),
      'number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items of type string',
    ],
  ] as const)('%s %j', ([kind, object, message]) => {
    expect(check(kind, object)).toBe(`json: cannot unmarshal ${message}`);
  });
});

describe('values that a parser refuses', () => {
  test.for([
    ['Pod', container({ resources: { limits: { cpu: '1zz' } } }), quantityText],
    ['Pod', container({ resources: { limits: { cpu: '' } } }), quantityText],
    ['Pod', container({ resources: { limits: { cpu: {} } } }), quantityText],
    ['Pod', container({ resources: { limits: { cpu: '1mm' } } }), "unable to parse quantity's suffix"],
    ['Secret', { data: { a: 'a$b=' } }, 'illegal base64 data at input byte 1'],
    ['Secret', { data: { a: 'abc' } }, 'illegal base64 data at input byte 0'],
    ['Secret', { data: { a: 'abcde' } }, 'illegal base64 data at input byte 4'],
    ['Secret', { data: { a: 'ab=' } }, 'illegal base64 data at input byte 3'],
    ['Secret', { data: { a: 'YQ==YQ==' } }, 'illegal base64 data at input byte 4'],
    [
      'Pod',
      { metadata: { creationTimestamp: 'zz' } },
      'parsing time "zz" as "2006-01-02T15:04:05Z07:00": cannot parse "zz" as "2006"',
    ],
    [
      'Pod',
      { metadata: { creationTimestamp: '2020-01-01 00:00:00Z' } },
      'parsing time "2020-01-01 00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 00:00:00Z" as "T"',
    ],
    [
      'Pod',
      { metadata: { creationTimestamp: '2020-13-01T00:00:00Z' } },
      'parsing time "2020-13-01T00:00:00Z": month out of range',
    ],
    [
      'Pod',
      { metadata: { creationTimestamp: '2021-02-30T00:00:00Z' } },
      'parsing time "2021-02-30T00:00:00Z": day out of range',
    ],
    [
      'Pod',
      { metadata: { creationTimestamp: '2020-01-01T00:00:00Zx' } },
      'parsing time "2020-01-01T00:00:00Zx": extra text: "x"',
    ],
    [
      'Lease',
      { spec: { renewTime: '2020-01-01T00:00:00Z' } },
      'parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    ],
    ['Definition', schema({ additionalProperties: 'x' }), 'boolean or JSON schema expected'],
  ] as const)('%s %j', ([kind, object, message]) => {
    expect(check(kind, object)).toBe(message);
  });
});

describe('which of several errors is told', () => {
  test('the first in the order of the text', () => {
    expect(check('ConfigMap', { data: { a: 1 }, immutable: 'x' })).toMatch('ConfigMap.data of type string');
    expect(check('ConfigMap', { immutable: 'x', data: { a: 1 } })).toMatch(
      'ConfigMap.immutable of type bool',
    );
  });

  test('but one of a parser wins, wherever it is', () => {
    const object = { metadata: { name: 1 }, ...container({ resources: { limits: { cpu: '?' } } }) };
    expect(check('Pod', object)).toBe(quantityText);
  });
});

describe('right values', () => {
  test.for([
    [
      'ConfigMap',
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', labels: null },
        data: { a: '', b: null },
        other: 1,
      },
    ],
    ['Secret', { data: { a: 'YQ==', b: '', c: 'YW\nJj' }, stringData: { a: 'x' } }],
    ['Pod', container({ resources: { limits: { cpu: 2, memory: '1.5Gi', x: '1e3', y: ' 5m ' } } })],
    ['Pod', { metadata: { creationTimestamp: '2020-01-01T00:00:00.5+01:00', deletionTimestamp: null } }],
    ['Lease', { spec: { renewTime: '2020-01-01T00:00:00.123456Z', leaseTransitions: 0 } }],
    [
      'Deployment',
      { spec: { replicas: 2147483647, strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } } } },
    ],
    [
      'Definition',
      schema({
        items: [{ type: 'string' }],
        additionalProperties: false,
        default: { any: [1] },
        enum: [1, 'a'],
      }),
    ],
    ['Review', { spec: { extra: { a: ['x'] } } }],
  ] as const)('%s %j', ([kind, object]) => {
    expect(check(kind, object)).toBeUndefined();
  });

  test('nothing is said of kinds that are not built in', () => {
    expect(typeErrors('com.example.v1.Widget', { spec: 1 })).toBeUndefined();
  });

  test('a schema nested without end neither hangs nor overflows', () => {
    let deep: JsonObject = {};
    for (let i = 0; i < 20_000; i += 1) deep = { not: deep };
    expect(check('Definition', schema(deep))).toBeUndefined();
  });
});
