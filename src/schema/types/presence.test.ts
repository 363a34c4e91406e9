import { describe, expect, test } from 'vitest';
import type { BuiltinField, BuiltinType } from './builtin-type.ts';
import { builtinType, membersOf } from './builtin-types.ts';
import { absentValue, isLeftOut, zeroOfType } from './presence.ts';

const typeOf = (name: string): BuiltinType => builtinType(`io.k8s.${name}`) as BuiltinType;
const field = (type: string, name: string): BuiltinField => membersOf(typeOf(type)).get(name) as BuiltinField;

describe('a member that was never set', () => {
  test.for([
    { type: 'api.core.v1.Container', name: 'name', value: '' },
    { type: 'api.core.v1.Container', name: 'image', value: undefined },
    { type: 'api.core.v1.Container', name: 'resources', value: {} },
    { type: 'api.core.v1.Container', name: 'livenessProbe', value: undefined },
    { type: 'api.core.v1.PodSpec', name: 'containers', value: null },
    { type: 'api.core.v1.Pod', name: 'status', value: {} },
    { type: 'api.rbac.v1.Role', name: 'rules', value: null },
    { type: 'api.authorization.v1.SubjectAccessReviewStatus', name: 'allowed', value: false },
    { type: 'api.authentication.v1.TokenRequestSpec', name: 'boundObjectRef', value: null },
    { type: 'api.core.v1.ContainerPort', name: 'containerPort', value: 0 },
    { type: 'apimachinery.pkg.apis.meta.v1.ObjectMeta', name: 'creationTimestamp', value: null },
    { type: 'apimachinery.pkg.apis.meta.v1.ObjectMeta', name: 'deletionTimestamp', value: undefined },
    { type: 'api.core.v1.HTTPGetAction', name: 'port', value: 0 },
    { type: 'api.core.v1.ResourceFieldSelector', name: 'divisor', value: '0' },
  ])('$type $name is written as $value', ({ type, name, value }) => {
    expect(absentValue(field(type, name))).toEqual(value);
  });
});

describe('a value', () => {
  test.for([
    { type: 'api.core.v1.PodSpec', name: 'hostNetwork', value: false, out: true },
    { type: 'api.core.v1.PodSpec', name: 'hostNetwork', value: true, out: false },
    { type: 'api.core.v1.PodSpec', name: 'automountServiceAccountToken', value: false, out: false },
    { type: 'api.core.v1.PodSpec', name: 'nodeName', value: '', out: true },
    { type: 'api.core.v1.PersistentVolumeClaimSpec', name: 'storageClassName', value: '', out: false },
    { type: 'api.core.v1.Container', name: 'name', value: '', out: false },
    { type: 'api.core.v1.Container', name: 'args', value: [], out: true },
    { type: 'api.core.v1.Container', name: 'args', value: [''], out: false },
    { type: 'api.core.v1.ConfigMap', name: 'data', value: {}, out: true },
    { type: 'api.core.v1.Container', name: 'resources', value: {}, out: false },
    { type: 'api.core.v1.ServicePort', name: 'targetPort', value: 0, out: false },
  ])('$type $name $value is left out: $out', ({ type, name, value, out }) => {
    expect(isLeftOut(field(type, name), value)).toBe(out);
  });
});

test('a struct with nothing set has what is always written', () => {
  expect(zeroOfType(typeOf('api.core.v1.PodTemplateSpec'))).toEqual({
    metadata: { creationTimestamp: null },
    spec: { containers: null },
  });
});
