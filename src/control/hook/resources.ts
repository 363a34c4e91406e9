import { hookRun } from '#api/hook/hook-run.ts';
import { hookTemplate } from '#api/hook/hook-template.ts';
import type { Kind } from '#api/kind.ts';
import type { Resource } from '#edge/kube/resource.ts';

export const resourceOf = ({ group, version, plural, scope }: Kind): Resource => ({
  group,
  version,
  plural,
  namespaced: scope === 'Namespaced',
});

export const hookRuns: Resource = resourceOf(hookRun);
export const hookTemplates: Resource = resourceOf(hookTemplate);
