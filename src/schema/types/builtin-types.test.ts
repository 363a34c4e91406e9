import { describe, expect, test } from 'vitest';
import type { BuiltinType } from './builtin-type.ts';
import { builtinType, kindOfType, membersOf, typeNameOf, typeOfField } from './builtin-types.ts';
import { typePackages } from './packages.ts';
import { splitTypes } from './parse-lines.ts';

const all: readonly BuiltinType[] = typePackages.flatMap((home) =>
  [...splitTypes(home).keys()].flatMap((name) => builtinType(`${home.name}.${name}`) ?? []),
);

describe('the table', () => {
  test('has the types of every package', () => {
    expect(all.length).toBeGreaterThan(540);
    expect(new Set(all.map((type) => type.name)).size).toBe(all.length);
  });

  test('refers only to types that it has', () => {
    const dangling = all.flatMap((type) =>
      type.fields
        .filter((field) => field.type.includes('.') && typeOfField(field) === undefined)
        .map((field) => [type.name, field.name]),
    );
    expect(dangling).toEqual([]);
  });

  test('numbers and names the fields of a type without repetition', () => {
    const broken = all.filter(({ fields }) => {
      const numbers = new Set(fields.map((field) => field.number));
      const names = new Set(fields.map((field) => field.name));
      return (
        numbers.size !== fields.length ||
        names.size !== fields.length ||
        numbers.has(Number.NaN) ||
        numbers.has(0)
      );
    });
    expect(broken.map((type) => type.name)).toEqual([]);
  });

  test('names keys of lists that the items have', () => {
    const broken = all.flatMap((type) =>
      type.fields
        .filter((field) => {
          const item = typeOfField(field);
          return field.listMapKeys.some((key) => item === undefined || !membersOf(item).has(key));
        })
        .map((field) => `${type.name}.${field.name}`),
    );
    expect(broken).toEqual([]);
  });

  test('has a list for every kind that has metadata and a list kind, with items of that kind', () => {
    const lists = all.filter(
      (type) => type.isKind && type.shortName.endsWith('List') && membersOf(type).has('items'),
    );
    for (const list of lists.filter((each) => each.shortName !== 'List')) {
      const items = membersOf(list).get('items');
      expect(items?.type.split('.').at(-1)).toBe(list.shortName.slice(0, -'List'.length));
    }
    expect(lists.length).toBeGreaterThan(40);
  });
});

describe('kinds', () => {
  test.for([
    ['', 'v1', 'Pod', 'io.k8s.api.core.v1.Pod'],
    ['', 'v1', 'PodList', 'io.k8s.api.core.v1.PodList'],
    ['apps', 'v1', 'Deployment', 'io.k8s.api.apps.v1.Deployment'],
    ['autoscaling', 'v1', 'Scale', 'io.k8s.api.autoscaling.v1.Scale'],
    ['autoscaling', 'v2', 'HorizontalPodAutoscaler', 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler'],
    ['policy', 'v1', 'Eviction', 'io.k8s.api.policy.v1.Eviction'],
    ['', 'v1', 'Binding', 'io.k8s.api.core.v1.Binding'],
    ['authentication.k8s.io', 'v1', 'TokenRequest', 'io.k8s.api.authentication.v1.TokenRequest'],
    [
      'authorization.k8s.io',
      'v1',
      'SelfSubjectAccessReview',
      'io.k8s.api.authorization.v1.SelfSubjectAccessReview',
    ],
    [
      'apiextensions.k8s.io',
      'v1',
      'CustomResourceDefinition',
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
    ],
    ['', 'v1', 'Status', 'io.k8s.apimachinery.pkg.apis.meta.v1.Status'],
    ['apps', 'v1', 'DeleteOptions', 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'],
    [
      'meta.k8s.io',
      'v1',
      'PartialObjectMetadata',
      'io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata',
    ],
    ['example.com', 'v1', 'DeleteOptions', 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'],
    ['example.com', 'v1', 'Status', undefined],
    ['example.com', 'v1', 'Pod', undefined],
    ['apps', 'v1', 'Pod', undefined],
    ['apps', 'v1beta1', 'Deployment', undefined],
    ['', 'v1', 'Container', undefined],
    ['', 'v1', 'constructor', undefined],
  ] as const)('%s/%s %s is %s', ([group, version, kind, name]) => {
    expect(typeNameOf(group, version, kind)).toBe(name);
  });

  test('a kind knows its group, a part of one has none', () => {
    const of = (name: string) => kindOfType(builtinType(name) as BuiltinType);
    expect(of('io.k8s.api.apps.v1.Deployment')).toEqual({ group: 'apps', version: 'v1', kind: 'Deployment' });
    expect(of('io.k8s.apimachinery.pkg.apis.meta.v1.Status')).toEqual({
      group: '',
      version: 'v1',
      kind: 'Status',
    });
    expect(of('io.k8s.api.apps.v1.DeploymentSpec')).toBeUndefined();
  });

  test('names that are not in the table have no type', () => {
    expect(builtinType('io.k8s.api.core.v1.Nope')).toBeUndefined();
    expect(builtinType('Pod')).toBeUndefined();
  });
});

test.for([
  { type: 'core.v1.Volume', has: ['name', 'emptyDir', 'configMap'], hasNot: ['volumeSource'] },
  {
    type: 'core.v1.EphemeralContainer',
    has: ['name', 'image', 'targetContainerName'],
    hasNot: ['ephemeralContainerCommon'],
  },
  { type: 'core.v1.Probe', has: ['httpGet', 'periodSeconds'], hasNot: ['handler'] },
  { type: 'networking.v1.IngressRule', has: ['host', 'http'], hasNot: ['ingressRuleValue'] },
  {
    type: 'admissionregistration.v1.NamedRuleWithOperations',
    has: ['resourceNames', 'operations', 'apiGroups'],
    hasNot: ['rule', 'ruleWithOperations'],
  },
  { type: 'admissionregistration.v1.MutatingWebhookConfiguration', has: ['webhooks'], hasNot: ['Webhooks'] },
  { type: 'core.v1.DaemonEndpoint', has: ['Port'], hasNot: ['port'] },
])('$type has the members of JSON, not those of protobuf', ({ type, has, hasNot }) => {
  const members = membersOf(builtinType(`io.k8s.api.${type}`) as BuiltinType);
  expect(has.filter((name) => !members.has(name))).toEqual([]);
  expect(hasNot.filter((name) => members.has(name))).toEqual([]);
});
