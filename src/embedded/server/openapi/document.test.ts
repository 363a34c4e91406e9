import { describe, expect, test } from 'vitest';
import { at, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { openApiDocument } from './document.ts';
import type { ResourceDescription } from './resource-description.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const deployments: ResourceDescription = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
  verbs,
  subresources: ['status', 'scale'],
};
const pods: ResourceDescription = {
  ...deployments,
  group: '',
  kind: 'Pod',
  plural: 'pods',
  subresources: ['status', 'log', 'eviction', 'binding', 'exec'],
};
const nodes: ResourceDescription = {
  ...pods,
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  subresources: ['status'],
};
const bindings: ResourceDescription = {
  ...pods,
  kind: 'Binding',
  plural: 'bindings',
  verbs: ['create'],
  subresources: [],
};
const widgets: ResourceDescription = {
  ...deployments,
  group: 'stable.example.com',
  kind: 'Widget',
  plural: 'widgets',
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          inner: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: {} } },
        },
      },
    },
  },
};

const apps = openApiDocument({ group: 'apps', version: 'v1' }, [deployments], 'v1.32.4');
const core = openApiDocument({ group: '', version: 'v1' }, [pods, nodes, bindings], 'v1.32.4');
const stable = openApiDocument({ group: 'stable.example.com', version: 'v1' }, [widgets], 'v1.32.4');
const schemaOf = (document: JsonObject, name: string): JsonObject =>
  objectAt(document, 'components', 'schemas', name) ?? {};
const pathOf = (document: JsonObject, path: string): JsonObject => objectAt(document, 'paths', path) ?? {};

test.for([
  { name: 'apps', document: apps },
  { name: 'core', document: core },
  { name: 'stable', document: stable },
])('every reference of $name leads somewhere', ({ document }) => {
  const references = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/([^"]+)/g)].map(
    (match) => match[1] ?? '',
  );
  expect(references.length).toBeGreaterThan(10);
  expect(references.filter((name) => at(document, 'components', 'schemas', name) === undefined)).toEqual([]);
});

describe('schemas of built-in types', () => {
  test('a kind is found by group, version and kind', () => {
    expect(schemaOf(apps, 'io.k8s.api.apps.v1.Deployment')).toMatchObject({
      type: 'object',
      properties: { apiVersion: { type: 'string' }, kind: { type: 'string' } },
      'x-kubernetes-group-version-kind': [{ group: 'apps', kind: 'Deployment', version: 'v1' }],
    });
    expect(schemaOf(apps, 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions')).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: 'apps', kind: 'DeleteOptions', version: 'v1' }],
    });
    expect(schemaOf(apps, 'io.k8s.api.apps.v1.DeploymentSpec')).not.toHaveProperty(
      'x-kubernetes-group-version-kind',
    );
  });

  test('required members, references with and without company, merge marks', () => {
    const spec = schemaOf(apps, 'io.k8s.api.apps.v1.DeploymentSpec');
    expect(spec['required']).toEqual(['selector', 'template']);
    expect(at(spec, 'properties', 'selector')).toEqual({
      $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector',
    });
    expect(at(spec, 'properties', 'strategy')).toEqual({
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy' }],
      default: {},
      'x-kubernetes-patch-strategy': 'retainKeys',
    });
  });

  test.for<[string, string, Json]>([
    ['core.v1.Container', 'name', { type: 'string', default: '' }],
    ['core.v1.Container', 'image', { type: 'string' }],
    ['core.v1.ContainerPort', 'protocol', { type: 'string', default: 'TCP' }],
    ['core.v1.ContainerPort', 'hostPort', { type: 'integer', format: 'int32' }],
    [
      'core.v1.PodSpec',
      'nodeSelector',
      { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
    ],
    [
      'core.v1.Container',
      'args',
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
    ],
    [
      'core.v1.Container',
      'ports',
      {
        type: 'array',
        items: { $ref: '#/components/schemas/io.k8s.api.core.v1.ContainerPort' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'containerPort',
      },
    ],
  ])('%s has %s', ([type, name, schema]) => {
    expect(at(schemaOf(core, `io.k8s.api.${type}`), 'properties', name)).toEqual(schema);
  });

  test.for<[string, Json]>([
    ['apis.meta.v1.Time', { type: 'string', format: 'date-time' }],
    ['api.resource.Quantity', { oneOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      'util.intstr.IntOrString',
      { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
    ['apis.meta.v1.FieldsV1', { type: 'object' }],
  ])('%s has a form of its own', ([type, schema]) => {
    expect(schemaOf(core, `io.k8s.apimachinery.pkg.${type}`)).toEqual(schema);
  });
});

describe('paths', () => {
  const object = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}';
  const parameters = (operation: Json | undefined): readonly unknown[] =>
    (at(operation, 'parameters') as readonly JsonObject[]).map((each) => each['name']);

  test('the PATCH of a kind declares server-side validation for kubectl', () => {
    const patch = pathOf(apps, object)['patch'];
    expect(patch).toMatchObject({
      operationId: 'patchAppsV1NamespacedDeployment',
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'apps', kind: 'Deployment', version: 'v1' },
    });
    expect(parameters(patch)).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
  });

  test('collections, objects and subresources have the operations that their verbs allow', () => {
    const methods = (document: JsonObject, path: string): readonly string[] =>
      Object.keys(pathOf(document, path)).filter((key) => key !== 'parameters');
    expect(Object.keys(objectAt(apps, 'paths') ?? {})).toEqual([
      '/apis/apps/v1/deployments',
      '/apis/apps/v1/namespaces/{namespace}/deployments',
      object,
      `${object}/status`,
      `${object}/scale`,
    ]);
    expect(methods(apps, '/apis/apps/v1/deployments')).toEqual(['get']);
    expect(methods(apps, '/apis/apps/v1/namespaces/{namespace}/deployments')).toEqual([
      'get',
      'post',
      'delete',
    ]);
    expect(methods(apps, object)).toEqual(['get', 'put', 'patch', 'delete']);
    expect(methods(core, '/api/v1/namespaces/{namespace}/bindings')).toEqual(['post']);
    expect(methods(core, '/api/v1/namespaces/{namespace}/pods/{name}/eviction')).toEqual(['post']);
    expect(methods(core, '/api/v1/namespaces/{namespace}/pods/{name}/exec')).toEqual([]);
    expect(methods(core, '/api/v1/nodes/{name}')).toEqual(['get', 'put', 'patch', 'delete']);
  });

  test('subresources have the kind of their bodies', () => {
    const action = 'x-kubernetes-group-version-kind';
    const scale = { group: 'autoscaling', kind: 'Scale', version: 'v1' };
    expect(at(pathOf(apps, `${object}/scale`), 'patch', action)).toEqual(scale);
    const eviction = pathOf(core, '/api/v1/namespaces/{namespace}/pods/{name}/eviction');
    expect(at(eviction, 'post', action)).toEqual({ group: 'policy', kind: 'Eviction', version: 'v1' });
    const log = pathOf(core, '/api/v1/namespaces/{namespace}/pods/{name}/log');
    expect(at(log, 'get', 'responses', '200', 'content')).toEqual({
      'text/plain': { schema: { type: 'string' } },
    });
  });

  test('strategic merge patches are for built-in kinds only', () => {
    const types = (document: JsonObject, path: string): readonly string[] =>
      Object.keys(objectAt(pathOf(document, path), 'patch', 'requestBody', 'content') ?? {});
    expect(types(apps, object)).toContain('application/strategic-merge-patch+json');
    const custom = types(stable, '/apis/stable.example.com/v1/namespaces/{namespace}/widgets/{name}');
    expect(custom).toContain('application/merge-patch+json');
    expect(custom).not.toContain('application/strategic-merge-patch+json');
  });
});

describe('custom resources', () => {
  test('publish their schema with apiVersion, kind and metadata, embedded resources too', () => {
    const metadata = {
      allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
    };
    const members = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata };
    const schema = schemaOf(stable, 'com.example.stable.v1.Widget');
    expect(schema).toMatchObject({
      properties: members,
      'x-kubernetes-group-version-kind': [{ group: 'stable.example.com', kind: 'Widget', version: 'v1' }],
    });
    expect(at(schema, 'properties', 'spec', 'properties', 'inner', 'properties')).toEqual({
      spec: {},
      ...members,
    });
    expect(at(schema, 'properties', 'spec', 'properties')).not.toHaveProperty('metadata');
    expect(at(widgets.schema, 'properties')).not.toHaveProperty('metadata');
  });

  test('have a list', () => {
    expect(schemaOf(stable, 'com.example.stable.v1.WidgetList')).toMatchObject({
      required: ['items'],
      properties: {
        items: { type: 'array', items: { $ref: '#/components/schemas/com.example.stable.v1.Widget' } },
      },
      'x-kubernetes-group-version-kind': [{ group: 'stable.example.com', kind: 'WidgetList', version: 'v1' }],
    });
  });

  test.for([
    { name: 'without a schema', resource: { ...widgets, schema: undefined } },
    { name: 'that keep unknown fields', resource: { ...widgets, preserveUnknown: true } },
  ])('$name publish none', ({ resource }) => {
    const document = openApiDocument({ group: 'stable.example.com', version: 'v1' }, [resource], 'v1.32.4');
    expect(schemaOf(document, 'com.example.stable.v1.Widget')).toEqual({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-group-version-kind': [{ group: 'stable.example.com', kind: 'Widget', version: 'v1' }],
    });
  });
});

test('a document has the version of the server', () => {
  expect(objectAt(apps, 'info')).toEqual({ title: 'Kubernetes', version: 'v1.32.4' });
});
