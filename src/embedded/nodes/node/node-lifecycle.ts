import { isObject, listAt, objectAt, textAt, equalJson, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, instant, later, millis, parseTime, seconds, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { readTaint, taintsOf, tolerationsOf, toleratedSeconds, type Taint } from './taints.ts';
import { kubeletConditions, readyOf } from './node-status.ts';

/** A node counts as lost this long after its last heartbeat. */
export const nodeGrace = seconds(50);

export type Judgement = {
  readonly status: JsonObject | undefined;
  readonly taints: readonly Json[] | undefined;
  readonly wakeAt: Instant | undefined;
};

/** The conditions of a node that follow from its last heartbeat, and the taints that follow from them. */
export function judgeNode(node: KubeObject, lastSign: Instant, grace: number, now: Instant): Judgement {
  const lostAt = later(lastSign, millis(grace));
  const isLost = lostAt <= now;
  const status = isLost && readyOf(node) !== 'Unknown' ? lostStatus(node, now) : undefined;
  const ready = isLost ? 'Unknown' : readyOf(node);
  const taints = [...taintsOf(node).filter((each) => !isManaged(each)), ...wantedTaints(node, ready, now)];
  return {
    status,
    taints: equalJson(taints, listAt(node, 'spec', 'taints')) ? undefined : taints,
    wakeAt: isLost ? undefined : lostAt,
  };
}

function lostStatus(node: KubeObject, now: Instant): JsonObject {
  const status = objectAt(node, 'status') ?? {};
  const conditions = listAt(status, 'conditions')
    .filter(isObject)
    .map((each): JsonObject => {
      if (!kubeletConditions.includes(textAt(each, 'type') ?? '') || each['status'] === 'Unknown')
        return each;
      return {
        ...each,
        status: 'Unknown',
        lastTransitionTime: formatTime(now),
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
      };
    });
  return { ...status, conditions };
}

const unreachable = 'node.kubernetes.io/unreachable';
const notReady = 'node.kubernetes.io/not-ready';
const cordoned = 'node.kubernetes.io/unschedulable';
const managed = [unreachable, notReady, cordoned];
const isManaged = (taint: JsonObject): boolean => managed.includes(textAt(taint, 'key') ?? '');

const keyOfReady: Readonly<Record<string, string>> = { Unknown: unreachable, False: notReady };

/** A taint that is there already keeps its `timeAdded`. */
function wantedTaints(node: KubeObject, ready: string, now: Instant): readonly JsonObject[] {
  const key = keyOfReady[ready];
  const isCordoned = objectAt(node, 'spec')?.['unschedulable'] === true;
  const wanted = [
    ...(isCordoned ? [{ key: cordoned, effect: 'NoSchedule' }] : []),
    ...(key === undefined
      ? []
      : [
          { key, effect: 'NoSchedule' },
          { key, effect: 'NoExecute' },
        ]),
  ];
  return wanted.map((taint) => {
    const old = taintsOf(node).find((each) => each['key'] === taint.key && each['effect'] === taint.effect);
    return old ?? { ...taint, timeAdded: formatTime(now) };
  });
}

export const mustLeave = (node: KubeObject): boolean =>
  taintsOf(node).some((taint) => taint['effect'] === 'NoExecute');

/** When a pod has to leave a node because of its taints; undefined when it may stay. */
export function evictionTime(
  pod: KubeObject,
  node: KubeObject,
  seenAt: (taint: Taint) => Instant,
  timeScale: number,
): Instant | undefined {
  const tolerations = tolerationsOf(pod);
  const times = taintsOf(node)
    .filter((taint) => taint['effect'] === 'NoExecute')
    .map((taint) => {
      const since = parseTime(textAt(taint, 'timeAdded') ?? '') ?? seenAt(readTaint(taint));
      return since + toleratedSeconds(tolerations, readTaint(taint)) * 1000 * timeScale;
    });
  const earliest = Math.min(...times);
  return Number.isFinite(earliest) ? instant(earliest) : undefined;
}
