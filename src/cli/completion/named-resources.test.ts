import { expect, test } from 'vitest';
import { productKinds } from '#cli/product-kinds.ts';
import { namedResources } from './named-resources.ts';

test('the resources that are written out are those of the kinds', () => {
  const known = productKinds.map(({ group, version, plural, scope }) => ({
    group,
    version,
    plural,
    namespaced: scope === 'Namespaced',
  }));
  for (const source of ['clusters', 'runs', 'templates', 'workloads'] as const)
    for (const { resource } of namedResources(source, '')) expect(known).toContainEqual(resource);
});

test.for([
  ['', 'gd/gamedeployments gsts/gamestatefulsets'],
  ['g', 'gd/gamedeployments gamedeployments gsts/gamestatefulsets gamestatefulsets'],
  ['gs', 'gamedeployments gsts/gamestatefulsets gamestatefulsets'],
  ['shop', 'gamedeployments gamestatefulsets'],
  ['gd/', 'gd/gamedeployments'],
  ['gamestatefulset/d', 'gamestatefulset/gamestatefulsets'],
  ['pod/', ''],
])('workloads that begin with "%s"', ([text = '', expected]) => {
  const found = namedResources('workloads', text).map(
    ({ prefix, resource }) => `${prefix}${resource.plural}`,
  );
  expect(found.join(' ')).toBe(expected);
});
