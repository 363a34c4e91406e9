import { isObject, listAt, type Json, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { specOf, textOf, withField } from '#base/json-edit.ts';

const troubles = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** A pod stays five minutes on a node that is not ready or cannot be reached. */
export function defaultTolerations(pod: KubeObject): KubeObject {
  const spec = specOf(pod);
  const tolerations = listAt(spec, 'tolerations');
  const missing = troubles.filter((key) => !tolerations.some((each) => tolerates(each, key)));
  if (missing.length === 0) return pod;
  return withField(pod, 'spec', { ...spec, tolerations: [...tolerations, ...missing.map(fiveMinutes)] });
}

function tolerates(toleration: Json, key: string): boolean {
  if (!isObject(toleration)) return false;
  const [own, effect] = [textOf(toleration['key']), textOf(toleration['effect'])];
  return (own === key || own === '') && (effect === 'NoExecute' || effect === '');
}

const fiveMinutes = (key: string): JsonObject => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
});
