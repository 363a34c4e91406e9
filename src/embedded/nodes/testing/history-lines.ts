import { isObject, listAt, numberAt, objectAt, textAt, type Json } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Rehearsal } from './rehearsal.ts';

/** The history of a pod in lines that can be reviewed: `2.1s Running c:running#1 +ready | Started`. */
export function historyLines(rehearsal: Rehearsal): readonly string[] {
  return rehearsal.history.flatMap(({ at, result, pod }) => {
    const reasons = result.events.map(
      ({ reason, container }) => `${reason}${container === undefined ? '' : `(${container})`}`,
    );
    if (result.status === undefined && reasons.length === 0 && !result.remove) return [];
    const shown = result.status === undefined ? '=' : summary(pod);
    const gone = result.remove ? ' REMOVED' : '';
    return [`${at / 1000}s ${shown}${gone}${reasons.length === 0 ? '' : ` | ${reasons.join(' ')}`}`];
  });
}

/** The phase, every container's state with its restart count, and whether the pod is ready. */
export function summary(pod: KubeObject): string {
  const lists = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'];
  const states = lists.flatMap((list) => listAt(pod, 'status', list).map(stateText));
  const ready = conditionOf(pod, 'Ready') === 'True' ? '+ready' : '-ready';
  return [textAt(pod, 'status', 'phase'), ...states, ready].join(' ');
}

function conditionOf(pod: KubeObject, type: string): string | undefined {
  const found = listAt(pod, 'status', 'conditions')
    .filter(isObject)
    .find((each) => each['type'] === type);
  return textAt(found, 'status');
}

function stateText(status: Json): string {
  const ended = objectAt(status, 'state', 'terminated');
  const state =
    objectAt(status, 'state', 'running') !== undefined
      ? 'running'
      : ended !== undefined
        ? `exit${numberAt(ended, 'exitCode')}`
        : (textAt(status, 'state', 'waiting', 'reason') ?? '?');
  return `${textAt(status, 'name')}:${state}#${numberAt(status, 'restartCount')}`;
}
