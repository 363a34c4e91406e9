import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { lintTemplate } from './lint.ts';

/** Templates are checked much more often than they change. */
const known = new WeakMap<object, { readonly problem: string | undefined }>();

/** The first error in a template; undefined if there is none. */
export function templateProblem(template: HookTemplate): string | undefined {
  const before = known.get(template);
  if (before !== undefined) return before.problem;
  const first = lintTemplate(template).find(({ severity }) => severity === 'error');
  const problem = first === undefined ? undefined : `${first.path}: ${first.message}`;
  known.set(template, { problem });
  return problem;
}
