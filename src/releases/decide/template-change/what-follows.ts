import { at, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { readGameDeployment } from '#releases/model/read.ts';
import { isPausedByUser } from '#releases/decide/act-plan/plan-pause.ts';
import { stepsOf, stepText } from '#releases/decide/act-plan/situation.ts';

/** What happens after a workload has got the template of a revision, in a sentence. */
export function whatFollows(workload: KubeObject, revision: string, title: string): string {
  const { type = 'RollingUpdate' } = readGameDeployment(workload).spec.updateStrategy ?? {};
  const isPaused = at(workload, 'spec', 'updateStrategy', 'paused') === true && isPausedByUser(workload);
  if (isPaused)
    return `${title} is paused by a user: pods are updated after boathook release resume ${title}.`;
  if (textAt(workload, 'status', 'canary', 'revision') === revision)
    return 'This is the stable revision: pods return to it without steps.';
  if (stepsOf(workload).length > 0) return `A release starts at ${stepText(workload, 0)}.`;
  return type === 'OnDelete' ? 'Pods take it when they are deleted.' : 'Pods are updated now.';
}
