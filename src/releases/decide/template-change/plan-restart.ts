import { objectAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { restartedAtAnnotation } from '#releases/model/release-change.ts';
import { readGameDeployment } from '#releases/model/read.ts';
import type { TemplatePlan } from './template-plan.ts';

/** restart: a new revision that differs in the time of the restart only. */
export function planRestart(workload: KubeObject, time: string, title: string): TemplatePlan {
  const problem = restartProblem(workload);
  if (problem !== undefined) return { type: 'refused', message: `${title} cannot be restarted: ${problem}` };
  const template = restartTemplate(objectAt(workload, 'spec', 'template') ?? {}, time);
  return { type: 'change', template, summary: `its pods are replaced by new ones of the same template` };
}

function restartTemplate(template: JsonObject, time: string): JsonObject {
  const metadata = objectAt(template, 'metadata') ?? {};
  const annotations = { ...objectAt(metadata, 'annotations'), [restartedAtAnnotation]: time };
  return { ...template, metadata: { ...metadata, annotations } };
}

/** Undefined when the pods can be restarted. */
function restartProblem(workload: KubeObject): string | undefined {
  const type = readGameDeployment(workload).spec.updateStrategy?.type ?? 'RollingUpdate';
  if (type !== 'InplaceUpdate' && type !== 'HotPatchUpdate') return undefined;
  return `updateStrategy.type ${type} keeps pods and can replace a container only by another image. Set updateStrategy.type to InplaceIfPossible or RollingUpdate first, or delete the pods one by one`;
}
