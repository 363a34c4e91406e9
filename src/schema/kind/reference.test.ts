import { expect, test } from 'vitest';
import { cluster } from '#machines/kinds/cluster.ts';
import { lantern } from './testing/lantern.ts';
import { referenceFile, referencePage } from './reference.ts';

const lines = referencePage(lantern).split('\n');

test.for([
  '# HarbourLantern',
  'A light that shows boats the way.',
  '| apiVersion | `harbour.example.com/v1alpha1` |',
  '| subresources | `status`, `scale` |',
  '| `spec` | object |  | required | What is wanted. |',
  '| `spec.colour` | string | `"White"` | required, one of `Red`, `Green`, `White` | Its colour. |',
  '| `spec.dimmed` | integer or string |  | ≤ 2147483647 | How much \\| how far. |',
  '| `spec.wicks` | list of object |  | required, at least 1 items, items differ in `name` | Its wicks. |',
  '| `spec.wicks[].millimetres` | integer | `40` | > 0, ≤ 900 | Its length. |',
  '| `spec.harbours` | list of string |  | at most 9 items | Where it stands. |',
  '| `spec.flags.*.lit` | boolean |  | required | Lit now. |',
  '| `spec.template` | object |  | other fields are kept | A pod. |',
  '| `spec.extra` | any |  | other fields are kept | Whatever. |',
  '| `status.seen` | string |  | format date-time | When. |',
  '| Seen (wide) | `.status.seen` |  |',
])('the page has the line %s', (line) => {
  expect(lines).toContain(line);
});

test('apiVersion, kind and metadata are left to Kubernetes', () => {
  expect(lines.filter((line) => /^\| `(apiVersion|kind|metadata)/.test(line))).toEqual([]);
});

test.for([
  ['GameDeployment', 'game-deployment.md'],
  ['CRDRegistration', 'crd-registration.md'],
  ['Cluster', 'cluster.md'],
] as const)('the page of %s is %s', ([kind, file]) => {
  expect(referenceFile({ ...lantern, kind })).toBe(file);
});

test('limits that nothing fits between leave a shape out, in words', () => {
  const row = referencePage(cluster)
    .split('\n')
    .find((line) => line.startsWith('| `spec.features.hooks.PreInstall` |'));
  expect(row).toContain('other fields are kept, no number, no list |');
  expect(row).not.toMatch(/≥|items/);
});
