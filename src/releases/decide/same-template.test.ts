import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { emptyStructs, idleZeros, sparseTemplate, userMaps } from '#kube/workload/sparse-template.ts';
import { builtinType, membersOf, typeOfField } from '#schema/types/builtin-types.ts';
import type { BuiltinField } from '#schema/types/builtin-type.ts';
import { isSameTemplate } from './same-template.ts';

const template = (container: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: 'shop' } },
  spec: { containers: [{ name: 'server', image: 'shop:1.0', ...container }], ...more },
});

test.for<readonly [string, JsonObject, JsonObject]>([
  ['an empty struct that Go writes', template({ resources: {} }), template({})],
  [
    'a time that was never set',
    { ...template({}), metadata: { creationTimestamp: null, labels: { app: 'shop' } } },
    template({}),
  ],
  [
    'empty lists, maps and zeros',
    template({ env: [], stdin: false, workingDir: '' }, { hostNetwork: false, nodeSelector: {} }),
    template({}),
  ],
  [
    'a value of a variable',
    template({ env: [{ name: 'A', value: '' }] }),
    template({ env: [{ name: 'A' }] }),
  ],
  [
    'quantities',
    template({ resources: { limits: { cpu: '1000m', memory: 1024 } } }),
    template({ resources: { limits: { cpu: 1, memory: '1024' } } }),
  ],
  [
    'a divisor',
    template({
      env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } }],
    }),
    template({ env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }] }),
  ],
])('%s makes no difference', ([, left, right]) => {
  expect(isSameTemplate(left, right)).toBe(true);
});

test.for<readonly [string, JsonObject, JsonObject]>([
  ['an image', template({ image: 'shop:1.1' }), template({})],
  [
    'a pointer to false',
    template({ securityContext: { privileged: false } }),
    template({ securityContext: {} }),
  ],
  [
    'an empty volume',
    template({}, { volumes: [{ name: 'a', emptyDir: {} }] }),
    template({}, { volumes: [{ name: 'a' }] }),
  ],
  ['a field that the type does not have', template({ future: false }), template({})],
  [
    'an empty value of a selector',
    template({}, { nodeSelector: { 'node-role.kubernetes.io/game': '' } }),
    template({}),
  ],
  ['an empty label', { ...template({}), metadata: { labels: { app: 'shop', beta: '' } } }, template({})],
  ['a period of 0', template({}, { terminationGracePeriodSeconds: 0 }), template({})],
  ['the order of a list', template({ args: ['a', 'b'] }), template({ args: ['b', 'a'] })],
])('%s makes a difference', ([, left, right]) => {
  expect(isSameTemplate(left, right)).toBe(false);
});

/** All fields in a pod template, by name. */
function fieldsOf(typeName: string, seen = new Map<string, BuiltinField[]>(), types = new Set<string>()) {
  const type = builtinType(typeName);
  if (type === undefined || types.has(typeName)) return seen;
  types.add(typeName);
  for (const [name, field] of membersOf(type)) {
    seen.set(name, [...(seen.get(name) ?? []), field]);
    if (typeOfField(field)?.special === undefined) fieldsOf(field.type, seen, types);
  }
  return seen;
}
const fields = fieldsOf('io.k8s.api.core.v1.PodTemplateSpec');
const named = (name: string): readonly BuiltinField[] => fields.get(name) ?? [];

test('the names agree with the types of Kubernetes', () => {
  expect(fields.size).toBeGreaterThan(250);
  for (const name of idleZeros)
    expect(
      named(name).some(({ pointer, container }) => !pointer && container === 'none'),
      name,
    ).toBe(true);
  for (const name of userMaps)
    expect(
      named(name).some(({ container }) => container === 'map'),
      name,
    ).toBe(true);
  for (const name of emptyStructs)
    expect(
      named(name).some((field) => !field.pointer && typeOfField(field) !== undefined),
      name,
    ).toBe(true);
  // Every map whose keys are those of users is known, so that no empty value of theirs is dropped.
  const maps = [...fields].filter(([, all]) => all.some(({ container }) => container === 'map'));
  const known = new Set([...userMaps, 'limits', 'overhead', 'requests']);
  expect(maps.map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
  const lost = sparseTemplate({ spec: { enableServiceLinks: false, priority: 0, runtimeClassName: '' } });
  expect(lost).toEqual({ spec: { enableServiceLinks: false, priority: 0, runtimeClassName: '' } });
});
