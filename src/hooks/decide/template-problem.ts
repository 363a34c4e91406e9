import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { lintTemplate } from './lint.ts';

/** Templates are looked at much more often than they change; what is remembered changes no answer. */
const known = new WeakMap<object, { readonly problem: string | undefined }>();

/** The first reason why no run made from a template can work; undefined when one can. */
export function templateProblem(template: HookTemplate): string | undefined {
  const before = known.get(template);
  if (before !== undefined) return before.problem;
  const first = lintTemplate(template).find(({ severity }) => severity === 'error');
  const problem = first === undefined ? undefined : `${first.path}: ${first.message}`;
  known.set(template, { problem });
  return problem;
}
