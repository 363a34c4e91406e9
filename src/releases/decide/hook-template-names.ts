import { listAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

const strategies = [
  'preDeleteUpdateStrategy',
  'preInplaceUpdateStrategy',
  'postInplaceUpdateStrategy',
] as const;

/** Names of the HookTemplates that a workload uses: those of its steps and those of its pods. */
export function hookTemplateNames(workload: KubeObject): ReadonlySet<string> {
  const steps = listAt(workload, 'spec', 'updateStrategy', 'canary', 'steps');
  const names = [
    ...steps.map((step) => textAt(step, 'hook', 'templateName')),
    ...strategies.map((strategy) => textAt(workload, 'spec', strategy, 'hook', 'templateName')),
  ];
  return new Set(names.filter((name): name is string => name !== undefined && name !== ''));
}
