import { isObject, listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

export type Taint = { readonly key: string; readonly value: string; readonly effect: string };

export const taintsOf = (node: KubeObject): readonly JsonObject[] =>
  listAt(node, 'spec', 'taints').filter(isObject);

export const readTaint = (taint: JsonObject): Taint => ({
  key: textAt(taint, 'key') ?? '',
  value: textAt(taint, 'value') ?? '',
  effect: textAt(taint, 'effect') ?? '',
});

export const tolerationsOf = (pod: KubeObject): readonly JsonObject[] =>
  listAt(pod, 'spec', 'tolerations').filter(isObject);

/** Whether one toleration accepts a taint: an empty key with Exists accepts all, an empty effect every effect. */
function accepts(toleration: JsonObject, taint: Taint): boolean {
  const key = textAt(toleration, 'key') ?? '';
  const effect = textAt(toleration, 'effect') ?? '';
  if (effect !== '' && effect !== taint.effect) return false;
  const operator = textAt(toleration, 'operator') ?? 'Equal';
  if (key === '') return operator === 'Exists';
  if (key !== taint.key) return false;
  return operator === 'Exists' || (textAt(toleration, 'value') ?? '') === taint.value;
}

export const isTolerated = (tolerations: readonly JsonObject[], taint: Taint): boolean =>
  tolerations.some((toleration) => accepts(toleration, taint));

/**
 * How many seconds a pod may stay on a node with a NoExecute taint: 0 when nothing accepts it, Infinity when
 * something does for ever, and otherwise the least of those that do for a while.
 */
export function toleratedSeconds(tolerations: readonly JsonObject[], taint: Taint): number {
  const accepting = tolerations.filter((toleration) => accepts(toleration, taint));
  if (accepting.length === 0) return 0;
  return Math.max(0, Math.min(...accepting.map((each) => numberAt(each, 'tolerationSeconds') ?? Infinity)));
}
