import { expect, test } from 'vitest';
import { postUpdateWarnings } from './post-update-warnings.ts';
import type { RehearsedHook } from './rehearsal-report.ts';

const hook = (point: string, phase: string): RehearsedHook => ({
  name: 'run',
  template: 'after',
  point,
  phase,
  message: '',
  calls: [],
});
const rest = 'a post-update hook does not stop the release';

test.for([
  { phases: ['Successful'], warnings: [] },
  { phases: ['Failed', 'Error'], warnings: [`HookTemplate after failed for 2 pods; ${rest}`] },
  { phases: ['Running'], warnings: [`HookTemplate after came to no verdict for 1 pod; ${rest}`] },
])('$phases', ({ phases, warnings }) => {
  const hooks = phases.map((phase) => hook('post-inplace', phase));
  expect(postUpdateWarnings(hooks, true)).toEqual(warnings);
});

test('other hooks decide the release, and one that stops leaves hooks open', () => {
  expect(postUpdateWarnings([hook('pre-delete', 'Failed')], true)).toEqual([]);
  expect(postUpdateWarnings([hook('post-inplace', 'Running')], false)).toEqual([]);
});
