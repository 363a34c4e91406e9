import { isObject, listAt, numberAt, objectAt, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';

const onAnnotation = 'tkex.bkbcs.tencent.com/gamedeployment-index-on';
const rangeAnnotation = 'tkex.bkbcs.tencent.com/gamedeployment-index-range';
const idAnnotation = 'tkex.bkbcs.tencent.com/gamedeployment-index-id';
const variable = 'POD_INDEX';

export type IndexRange =
  | { readonly type: 'none' }
  | { readonly type: 'range'; readonly start: number; readonly end: number }
  | { readonly type: 'refused'; readonly message: string };

/** The range of POD_INDEX, from the annotations of the workload. */
export function indexRangeOf(workload: KubeObject, replicas: number): IndexRange {
  const annotations = annotationsOf(workload);
  if (annotations[onAnnotation] !== 'true') return { type: 'none' };
  const range = parsed(annotations[rangeAnnotation] ?? '');
  const start = numberAt(range, 'podStartIndex');
  const end = numberAt(range, 'podEndIndex');
  const example = `write it as {"podStartIndex":100,"podEndIndex":110}`;
  if (start === undefined || end === undefined || start >= end)
    return { type: 'refused', message: `the annotation ${rangeAnnotation} has no range: ${example}` };
  if (replicas > end - start)
    return {
      type: 'refused',
      message: `the annotation ${rangeAnnotation} has ${end - start} numbers for ${replicas} replicas: widen it`,
    };
  return { type: 'range', start, end };
}

/** The smallest indexes that no pod has, including terminating pods. Fewer than `count` when the range is used up. */
export function assignIndexes(
  { start, end }: { readonly start: number; readonly end: number },
  pods: readonly KubeObject[],
  count: number,
): readonly number[] {
  const held = new Set(pods.map((pod) => annotationsOf(pod)[idAnnotation]));
  const free: number[] = [];
  for (let index = start; index < end && free.length < count; index += 1)
    if (!held.has(String(index))) free.push(index);
  return free;
}

export function withIndex(pod: KubeObject, index: number): KubeObject {
  const containers = listAt(pod, 'spec', 'containers').map((container) =>
    isObject(container)
      ? { ...container, env: [...listAt(container, 'env'), { name: variable, value: String(index) }] }
      : container,
  );
  const metadata = objectAt(pod, 'metadata') ?? {};
  const annotations = { ...annotationsOf(pod), [idAnnotation]: String(index) };
  return {
    ...pod,
    metadata: { ...metadata, annotations },
    spec: { ...objectAt(pod, 'spec'), containers },
  };
}

function parsed(text: string): JsonObject {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
