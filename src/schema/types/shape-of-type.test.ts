import { describe, expect, test } from 'vitest';
import type { FieldShape, Shape } from '#kube/shape.ts';
import { shapeOfType } from './shape-of-type.ts';

/** The field at a path of names; lists and maps are stepped into. */
function fieldAt(typeName: string, path: string): FieldShape {
  let shape: Shape = shapeOfType(`io.k8s.${typeName}`);
  let field: FieldShape | undefined;
  for (const name of path.split('.')) {
    if (shape.type === 'list') shape = shape.item();
    if (shape.type === 'map') shape = shape.value();
    if (shape.type !== 'struct') throw new Error(`${path}: ${name} is not in a struct`);
    field = shape.field(name);
    if (field === undefined) throw new Error(`${path}: there is no ${name}`);
    shape = field.shape();
  }
  if (field === undefined) throw new Error('an empty path');
  return field;
}

const pod = 'api.core.v1.Pod';

describe('shapes', () => {
  test.for([
    { path: 'apiVersion', type: 'scalar' },
    { path: 'metadata', type: 'struct' },
    { path: 'metadata.creationTimestamp', type: 'scalar' },
    { path: 'metadata.labels', type: 'map' },
    { path: 'metadata.managedFields.fieldsV1', type: 'untyped' },
    { path: 'spec.containers', type: 'list' },
    { path: 'spec.containers.resources.limits', type: 'map' },
    { path: 'spec.containers.livenessProbe.httpGet.port', type: 'scalar' },
    { path: 'spec.volumes.emptyDir.sizeLimit', type: 'scalar' },
  ])('a pod has $path: $type', ({ path, type }) => {
    expect(fieldAt(pod, path).shape().type).toBe(type);
  });

  test.for([
    { type: pod, path: 'spec.containers', list: 'map', keys: ['name'], keyDefaults: {} },
    {
      type: pod,
      path: 'spec.containers.ports',
      list: 'map',
      keys: ['containerPort', 'protocol'],
      keyDefaults: { protocol: 'TCP' },
    },
    {
      type: 'api.core.v1.Service',
      path: 'spec.ports',
      list: 'map',
      keys: ['port', 'protocol'],
      keyDefaults: { protocol: 'TCP' },
    },
    { type: pod, path: 'metadata.finalizers', list: 'set', keys: [], keyDefaults: {} },
    { type: pod, path: 'metadata.ownerReferences', list: 'map', keys: ['uid'], keyDefaults: {} },
    { type: pod, path: 'spec.containers.args', list: 'atomic', keys: [], keyDefaults: {} },
    { type: 'api.core.v1.PodList', path: 'items', list: 'atomic', keys: [], keyDefaults: {} },
  ])('$path is a list of the kind $list', ({ type, path, list, keys, keyDefaults }) => {
    expect(fieldAt(type, path).shape()).toMatchObject({ type: 'list', list, keys, keyDefaults });
  });

  test.for([
    { type: pod, path: 'spec.containers', patchStrategy: ['merge'], patchMergeKey: 'name' },
    { type: pod, path: 'spec.volumes', patchStrategy: ['merge', 'retainKeys'], patchMergeKey: 'name' },
    {
      type: 'api.apps.v1.Deployment',
      path: 'spec.strategy',
      patchStrategy: ['retainKeys'],
      patchMergeKey: undefined,
    },
    { type: pod, path: 'metadata.finalizers', patchStrategy: ['merge'], patchMergeKey: undefined },
    { type: pod, path: 'spec.nodeName', patchStrategy: [], patchMergeKey: undefined },
    { type: 'api.core.v1.Service', path: 'spec.ports', patchStrategy: ['merge'], patchMergeKey: 'port' },
  ])('$path is merged by $patchStrategy', ({ type, path, ...marks }) => {
    expect(fieldAt(type, path)).toMatchObject(marks);
  });

  test.for([
    { type: 'api.apps.v1.Deployment', path: 'spec.selector', atomic: true },
    { type: 'api.core.v1.Service', path: 'spec.selector', atomic: true },
    { type: pod, path: 'spec.nodeSelector', atomic: true },
    { type: pod, path: 'metadata.labels', atomic: false },
    { type: pod, path: 'spec', atomic: false },
    { type: pod, path: 'spec.containers.env.valueFrom.configMapKeyRef', atomic: true },
  ])('$path is owned as a whole: $atomic', ({ type, path, atomic }) => {
    expect(fieldAt(type, path).shape()).toMatchObject({ atomic });
  });

  test('kinds are closed structs with apiVersion and kind, their parts have neither', () => {
    const shape = shapeOfType('io.k8s.api.core.v1.ConfigMap');
    const part = shapeOfType('io.k8s.api.core.v1.Container');
    if (shape.type !== 'struct' || part.type !== 'struct') throw new Error('both are structs');
    expect(shape.open).toBe(false);
    expect(shape.fieldNames()).toEqual(['apiVersion', 'kind', 'metadata', 'immutable', 'data', 'binaryData']);
    expect(part.field('kind')).toBeUndefined();
    expect(shape.field('constructor')).toBeUndefined();
  });

  test('are made once, and only for types that exist', () => {
    expect(shapeOfType('io.k8s.api.core.v1.Pod')).toBe(shapeOfType('io.k8s.api.core.v1.Pod'));
    expect(() => shapeOfType('io.k8s.api.core.v1.Nope')).toThrow(
      'there is no built-in type called io.k8s.api.core.v1.Nope',
    );
  });

  test('schemas within schemas go as deep as one likes', () => {
    const crd = 'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition';
    const path = 'spec.versions.schema.openAPIV3Schema.properties.properties.not';
    expect(fieldAt(crd, path).shape().type).toBe('struct');
    expect(fieldAt(crd, `${path}.items`).shape().type).toBe('untyped');
    expect(fieldAt(crd, `${path}.default`).shape().type).toBe('untyped');
  });
});
