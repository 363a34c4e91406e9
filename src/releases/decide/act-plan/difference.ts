import { textAt } from '#base/json.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { actTargetOf } from '#releases/model/act.ts';
import { currentStep, stepText } from './situation.ts';

/** What has changed in a release between two readings of its workload, in a sentence. */
export function differenceOf(before: KubeObject, after: KubeObject): string {
  const [was, is] = [actTargetOf(before), actTargetOf(after)];
  if (uidOf(before) !== uidOf(after)) return 'it was deleted and created again';
  if (was.revision !== is.revision)
    return `its template was changed: the release is now of revision ${is.revision}`;
  if (was.release !== is.release) return 'its release was started again';
  if (was.step !== is.step)
    return `it was at ${stepText(before, currentStep(before))} and is at ${stepText(after, currentStep(after))} now`;
  if (was.hookRun !== is.hookRun)
    return `its hook runs again: ${is.hookRun === '' ? 'a new HookRun follows' : is.hookRun}`;
  if (was.pause !== is.pause)
    return is.pause === ''
      ? `the pause of ${stepText(after, currentStep(after))} has ended`
      : `${stepText(after, currentStep(after))} has paused`;
  const message = textAt(after, 'status', 'message') ?? '';
  return message === '' ? 'its spec was changed' : `its state is now: ${message}`;
}
