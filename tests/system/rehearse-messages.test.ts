import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { hookOf, rehearseObjects, shop } from '../support/rehearsed-shop.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

const rehearsed = (objects: readonly object[], ...args: readonly string[]) =>
  rehearseObjects(folder.path, objects, args);

test('commands name the namespace', async () => {
  const objects = [
    shop({ strategy: { canary: { steps: [{ hook: { templateName: 'check' } }] } } }),
    hookOf('check'),
  ];
  const placed = objects.map((object) => ({
    ...object,
    metadata: { ...object.metadata, namespace: 'games' },
  }));
  const { out } = await rehearsed(placed, '--hook', 'check=fail');
  expect(out).toContain('boathook release retry gd/shop -n games');
  const here = await rehearsed(objects, '--hook', 'check=fail');
  expect(here.out).toMatch(/boathook release retry gd\/shop$/m);
});
