import { expect, test } from 'vitest';
import { ExitError } from '#command/exit.ts';
import { parseWorkloadName } from './workload-name.ts';

test.for([
  ['shop', undefined, 'shop'],
  ['gd/shop', 'GameDeployment', 'shop'],
  ['GameDeployments/shop', 'GameDeployment', 'shop'],
  ['gsts/db-1.eu', 'GameStatefulSet', 'db-1.eu'],
  ['gamestatefulset.tkex.tencent.com/db', 'GameStatefulSet', 'db'],
  ['gamestatefulsets.v1alpha1.tkex.tencent.com/db', 'GameStatefulSet', 'db'],
] as const)('%s', ([text, kind, name]) => {
  const parsed = parseWorkloadName(text);
  expect({ kind: parsed.kind?.kind, name: parsed.name }).toEqual({ kind, name });
});

test.for(['', '/', 'gd/', '/shop', 'a/b/c', '..', 'gd/..', 'gd/a b', 'gd/a?watch=1', 'gd/%2e%2e'])(
  '"%s" is refused',
  (text) => {
    expect(() => parseWorkloadName(text)).toThrow(
      new ExitError(2, `"${text}" is not the name of a workload: write KIND/NAME, such as gd/shop`),
    );
  },
);

test('a kind that is no workload is refused', () => {
  expect(() => parseWorkloadName('deployment/shop')).toThrow(/"deployment" is not a kind of workload/);
});
