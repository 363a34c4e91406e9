import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { podFromTemplate } from '#kube/workload/pod-from-template.ts';
import { annotationsOf, labelsOf, metaOf, nameOf, type KubeObject } from '#kube/object.ts';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const indexKey = 'batch.kubernetes.io/job-completion-index';
const failuresKey = 'batch.kubernetes.io/job-index-failure-count';
const ignoredFailuresKey = 'batch.kubernetes.io/job-index-ignored-failure-count';
/** Five characters of the longest name are the server's. */
const longestPrefix = 58;

/** A pod of a job. Indexed ones know their index, and how often it failed where that is counted. */
export type JobPodIndex = { readonly index: number; readonly failures: number | undefined };

export function jobPod(job: KubeObject, place: JobPodIndex | undefined): KubeObject {
  const pod = podFromTemplate(job, objectAt(job, 'spec', 'template'));
  const meta = metaOf(pod);
  const finalizers = [...listAt(meta, 'finalizers'), trackingFinalizer];
  if (place === undefined) return { ...pod, metadata: { ...meta, finalizers } };
  const index = String(place.index);
  const failures =
    place.failures === undefined ? {} : { [failuresKey]: String(place.failures), [ignoredFailuresKey]: '0' };
  return {
    ...pod,
    metadata: {
      ...meta,
      finalizers,
      generateName: indexedPrefix(nameOf(job), index),
      labels: { ...labelsOf(pod), [indexKey]: index },
      annotations: { ...annotationsOf(pod), [indexKey]: index, ...failures },
    },
    spec: indexedSpec(objectAt(pod, 'spec') ?? {}, `${nameOf(job)}-${index}`),
  };
}

function indexedPrefix(name: string, index: string): string {
  const tail = `-${index}-`;
  return name.slice(0, longestPrefix - tail.length) + tail;
}

function indexedSpec(spec: JsonObject, hostname: string): JsonObject {
  const containers = listAt(spec, 'containers').map(withIndexVariable);
  const inits = listAt(spec, 'initContainers').map(withIndexVariable);
  return { ...spec, hostname, containers, ...(inits.length === 0 ? {} : { initContainers: inits }) };
}

const variable = 'JOB_COMPLETION_INDEX';

function withIndexVariable(container: Json): Json {
  if (!isObject(container)) return container;
  const env = listAt(container, 'env');
  if (env.some((each) => textAt(each, 'name') === variable)) return container;
  const fieldRef = { apiVersion: 'v1', fieldPath: `metadata.labels['${indexKey}']` };
  return { ...container, env: [...env, { name: variable, valueFrom: { fieldRef } }] };
}

export function indexOf(pod: KubeObject): number | undefined {
  const text = annotationsOf(pod)[indexKey] ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** How often the pod's index had failed when the pod was made. */
export function failuresBefore(pod: KubeObject): number {
  const text = annotationsOf(pod)[failuresKey] ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : 0;
}

export const isTracked = (pod: KubeObject): boolean =>
  listAt(pod, 'metadata', 'finalizers').includes(trackingFinalizer);
