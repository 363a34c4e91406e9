import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { ordinalOf, placed, podNameOf } from './stateful-identity.ts';

const setOf = (name: string): KubeObject => ({ metadata: { name, namespace: 'default' }, spec: {} });
const names = fc.stringMatching(
  /^[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?){0,3}$/,
);
const ordinals = fc.nat({ max: 2 ** 31 - 1 });

test('the name of a pod is a label and tells its ordinal; the host name is a DNS label', () => {
  fc.assert(
    fc.property(names, ordinals, (name, ordinal) => {
      const set = setOf(name);
      const pod = placed(set, { metadata: {}, spec: {} }, ordinal);
      expect(nameOf(pod).length).toBeLessThanOrEqual(63);
      expect(ordinalOf(set, pod)).toBe(ordinal);
      const { hostname } = pod['spec'] as { readonly hostname: string };
      expect(hostname).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
    }),
  );
});

test('pods of other sets and other names are none of its own', () => {
  const set = setOf('web');
  const own = (name: string): number | undefined => ordinalOf(set, { metadata: { name } });
  expect(own('web-3')).toBe(3);
  for (const name of ['web', 'web-', 'web-03', 'web-3x', 'other-3', 'web-a-3', `${podNameOf(set, 1)}-1`])
    expect(own(name)).toBeUndefined();
});
