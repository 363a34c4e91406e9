import { at, isObject, listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseTime, seconds, type Instant, type Millis } from '#base/time.ts';
import { annotationsOf, isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { hookSpan } from './hook-span.ts';
import type { StatusList } from './container-status.ts';

export type Probe = {
  readonly initialDelay: Millis;
  readonly period: Millis;
  readonly successes: number;
  readonly failures: number;
  /** False for the implicit probe that every container has. */
  readonly asked: boolean;
};

/** A lifecycle hook of the container; `span` when its definition contains a sleep. */
export type Hook = { readonly span: Millis | undefined };

export type ContainerKind = 'init' | 'sidecar' | 'ordinary' | 'ephemeral';

export type ContainerSpec = {
  readonly kind: ContainerKind;
  readonly name: string;
  readonly image: string;
  readonly pullPolicy: string;
  readonly startup: Probe;
  readonly readiness: Probe;
  readonly liveness: Probe | undefined;
  readonly postStart: Hook | undefined;
  readonly preStop: Hook | undefined;
};

/** The annotation of kubelets that can patch running containers. */
const hotPatchAnnotation = 'io.kubernetes.hotpatch.container';

/** What a kubelet reads in a pod. */
export type KubeletPod = {
  readonly pod: KubeObject;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly node: string;
  /** Init containers, ordinary ones, ephemeral ones, each in the order of the spec. */
  readonly containers: readonly ContainerSpec[];
  readonly hasInit: boolean;
  readonly restartPolicy: string;
  readonly graceSeconds: number;
  readonly ofJob: boolean;
  /** New images are patched in without a restart, if the node supports it. */
  readonly wantsHotPatch: boolean;
  readonly activeDeadline: Millis | undefined;
  readonly deletion: { readonly at: Instant; readonly graceSeconds: number } | undefined;
  readonly status: JsonObject;
};

export function kubeletPod(pod: KubeObject): KubeletPod {
  const spec = objectAt(pod, 'spec') ?? {};
  const init = containersOf(spec, 'initContainers', (each) =>
    each['restartPolicy'] === 'Always' ? 'sidecar' : 'init',
  );
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  return {
    pod,
    name: nameOf(pod),
    namespace: namespaceOf(pod),
    uid: uidOf(pod),
    node: textAt(spec, 'nodeName') ?? '',
    containers: [
      ...init,
      ...containersOf(spec, 'containers', () => 'ordinary'),
      ...containersOf(spec, 'ephemeralContainers', () => 'ephemeral'),
    ],
    hasInit: init.length > 0,
    restartPolicy: textAt(spec, 'restartPolicy') ?? 'Always',
    graceSeconds: numberAt(spec, 'terminationGracePeriodSeconds') ?? 30,
    ofJob: listAt(pod, 'metadata', 'ownerReferences').some(
      (owner) => at(owner, 'kind') === 'Job' && at(owner, 'controller') === true,
    ),
    wantsHotPatch: annotationsOf(pod)[hotPatchAnnotation] === 'true',
    activeDeadline: deadline === undefined ? undefined : seconds(deadline),
    deletion: deletionOf(pod),
    status: objectAt(pod, 'status') ?? {},
  };
}

export const statusListOf: Readonly<Record<ContainerKind, StatusList>> = {
  init: 'initContainerStatuses',
  sidecar: 'initContainerStatuses',
  ordinary: 'containerStatuses',
  ephemeral: 'ephemeralContainerStatuses',
};

function deletionOf(pod: KubeObject): KubeletPod['deletion'] {
  if (!isDeleting(pod)) return undefined;
  const at = parseTime(textAt(pod, 'metadata', 'deletionTimestamp') ?? '');
  if (at === undefined) return undefined;
  return { at, graceSeconds: numberAt(pod, 'metadata', 'deletionGracePeriodSeconds') ?? 0 };
}

function containersOf(
  spec: JsonObject,
  list: string,
  kindOf: (container: JsonObject) => ContainerKind,
): readonly ContainerSpec[] {
  return listAt(spec, list)
    .filter(isObject)
    .map((each) => containerSpec(each, kindOf(each)));
}

function containerSpec(container: JsonObject, kind: ContainerKind): ContainerSpec {
  const lifecycle = container['lifecycle'];
  const liveness = container['livenessProbe'];
  return {
    kind,
    name: textAt(container, 'name') ?? '',
    image: textAt(container, 'image') ?? '',
    pullPolicy: textAt(container, 'imagePullPolicy') ?? 'IfNotPresent',
    startup: probeOf(container['startupProbe']),
    readiness: probeOf(container['readinessProbe']),
    liveness: isObject(liveness) ? probeOf(liveness) : undefined,
    postStart: hookOf(objectAt(lifecycle, 'postStart')),
    preStop: hookOf(objectAt(lifecycle, 'preStop')),
  };
}

const hookOf = (hook: JsonObject | undefined): Hook | undefined =>
  hook === undefined ? undefined : { span: hookSpan(hook) };

/** No probe in the spec: changes are found at once. */
const unasked: Probe = {
  initialDelay: seconds(0),
  period: seconds(0),
  successes: 1,
  failures: 1,
  asked: false,
};

function probeOf(probe: Json | undefined): Probe {
  if (!isObject(probe)) return unasked;
  return {
    initialDelay: seconds(numberAt(probe, 'initialDelaySeconds') ?? 0),
    period: seconds(numberAt(probe, 'periodSeconds') ?? 10),
    successes: numberAt(probe, 'successThreshold') ?? 1,
    failures: numberAt(probe, 'failureThreshold') ?? 3,
    asked: true,
  };
}
