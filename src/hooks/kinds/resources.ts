import { hookRun } from './hook-run.ts';
import { hookTemplate } from './hook-template.ts';
import type { Kind } from '#schema/kind/kind.ts';
import type { Resource } from '#kube/resource.ts';

export const resourceOf = ({ group, version, plural, scope }: Kind): Resource => ({
  group,
  version,
  plural,
  namespaced: scope === 'Namespaced',
});

export const hookRuns: Resource = resourceOf(hookRun);
export const hookTemplates: Resource = resourceOf(hookTemplate);
