import { isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';

type Row = { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };

const healthy: Readonly<Record<string, Row>> = {
  MemoryPressure: {
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  DiskPressure: {
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  PIDPressure: {
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  Ready: { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
};

/** The conditions a kubelet reports on. */
export const kubeletConditions: readonly string[] = Object.keys(healthy);

/** The conditions of a healthy node; those of other writers are kept. */
export function readyConditions(before: readonly Json[], now: Instant): readonly Json[] {
  const time = formatTime(now);
  const own = kubeletConditions.flatMap((type) => {
    const row = healthy[type];
    if (row === undefined) return [];
    const old = conditionOf(before, type);
    const isSame = old?.['status'] === row.status;
    const since = (isSame ? old['lastTransitionTime'] : undefined) ?? time;
    const { status, reason, message } = row;
    return [{ type, status, lastHeartbeatTime: time, lastTransitionTime: since, reason, message }];
  });
  const others = before.filter((each) => !kubeletConditions.includes(textAt(each, 'type') ?? ''));
  return [...own, ...others];
}

export function conditionOf(conditions: readonly Json[], type: string): JsonObject | undefined {
  return conditions.filter(isObject).find((each) => each['type'] === type);
}

export const readyOf = (node: KubeObject): string => {
  const status = conditionOf(listAt(node, 'status', 'conditions'), 'Ready')?.['status'];
  return typeof status === 'string' ? status : '';
};
