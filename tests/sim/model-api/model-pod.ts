import { at, isObject, listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { setCondition } from '#kube/conditions.ts';
import { isDeleting, withMeta, type KubeObject } from '#kube/object.ts';

/** What a kubelet does next with a pod. */
export type PodStep =
  | { readonly type: 'bind' | 'start' | 'restart' | 'recover' | 'judge' | 'end' | 'patch-hot' }
  | { readonly type: 'nothing' };

const nothing: PodStep = { type: 'nothing' };

export function stepOf(pod: KubeObject): PodStep {
  if (isDeleting(pod)) return isStopped(pod) ? nothing : { type: 'end' };
  const phase = textAt(pod, 'status', 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return nothing;
  if ((textAt(pod, 'spec', 'nodeName') ?? '') === '') return { type: 'bind' };
  if (phase !== 'Running') return { type: 'start' };
  const statuses = listAt(pod, 'status', 'containerStatuses');
  const isOld = (each: Json): boolean => textAt(each, 'image') !== imageOf(pod, textAt(each, 'name') ?? '');
  if (statuses.some(isOld)) return { type: isHotPatched(pod) ? 'patch-hot' : 'restart' };
  if (statuses.some((each) => at(each, 'ready') !== true)) return { type: 'recover' };
  return isJudged(pod) ? nothing : { type: 'judge' };
}

/** The pod after a step; `id` is new for every container that starts. `isUnready`: it needs one more step to be ready. */
export function podAfter(
  pod: KubeObject,
  step: PodStep['type'],
  {
    now,
    id,
    isUnready = false,
    node = 'node-0',
  }: { readonly now: Instant; readonly id: string; readonly isUnready?: boolean; readonly node?: string },
): KubeObject {
  switch (step) {
    case 'nothing':
    case 'end':
      return pod;
    case 'bind':
      return {
        ...withStatus(pod, {
          conditions: setCondition(conditionsIn(pod), { type: 'PodScheduled', status: 'True' }, now),
        }),
        spec: { ...objectAt(pod, 'spec'), nodeName: node },
      };
    case 'start': {
      const containerStatuses = listAt(pod, 'spec', 'containers').map((each) =>
        statusOf(textAt(each, 'name') ?? '', textAt(each, 'image') ?? '', {
          id,
          restartCount: 0,
          isReady: !isUnready,
          now,
        }),
      );
      return judged(
        withStatus(pod, { phase: 'Running', podIP: '127.1.0.1', hostIP: '127.0.1.1', containerStatuses }),
        now,
      );
    }
    case 'restart':
    case 'patch-hot':
    case 'recover':
      return judged(
        withContainers(pod, (each) => changed(pod, each, step, { now, id, isReady: !isUnready })),
        now,
      );
    case 'judge':
      return judged(pod, now);
  }
}

/** A container has crashed: it is started again soon. */
export const crashed = (pod: KubeObject, now: Instant): KubeObject =>
  judged(
    withContainers(pod, (each) => ({
      ...each,
      ready: false,
      restartCount: (numberAt(each, 'restartCount') ?? 0) + 1,
    })),
    now,
  );

/** The pod failed for good, as one that was evicted by its node. */
export const failed = (pod: KubeObject, now: Instant): KubeObject =>
  judged(
    withStatus(
      withContainers(pod, (each) => ({ ...each, ready: false })),
      { phase: 'Failed', reason: 'Evicted' },
    ),
    now,
  );

/** Its containers have ended, and only finalizers keep it. */
export const stopped = (pod: KubeObject, now: Instant): KubeObject =>
  withMeta(
    judged(
      withContainers(pod, (each) => ({ ...each, ready: false })),
      now,
    ),
    { deletionGracePeriodSeconds: 0 },
  );

const isStopped = (pod: KubeObject): boolean =>
  numberAt(pod, 'metadata', 'deletionGracePeriodSeconds') === 0 &&
  listAt(pod, 'metadata', 'finalizers').length > 0 &&
  listAt(pod, 'status', 'containerStatuses').every((each) => at(each, 'ready') !== true);

type ContainerChange = { readonly now: Instant; readonly id: string; readonly isReady: boolean };

function changed(
  pod: KubeObject,
  each: JsonObject,
  step: PodStep['type'],
  change: ContainerChange,
): JsonObject {
  const name = textAt(each, 'name') ?? '';
  const image = imageOf(pod, name) ?? '';
  if (step === 'recover') return { ...each, ready: true };
  if (textAt(each, 'image') === image) return each;
  if (step === 'patch-hot') return { ...each, image, imageID: idOf(image) };
  const restartCount = (numberAt(each, 'restartCount') ?? 0) + 1;
  return statusOf(name, image, { ...change, restartCount });
}

const statusOf = (
  name: string,
  image: string,
  { id, restartCount, isReady, now }: ContainerChange & { readonly restartCount: number },
): JsonObject => ({
  containerID: `model://${id}-${name}`,
  image,
  imageID: idOf(image),
  lastState: {},
  name,
  ready: isReady,
  restartCount,
  started: true,
  state: { running: { startedAt: formatTime(now) } },
});

const idOf = (image: string): string => `model://sha256-${image}`;

/** Ready: all containers are, and every readiness gate is True. */
function judged(pod: KubeObject, now: Instant): KubeObject {
  const set = (conditions: readonly Json[], type: string, isTrue: boolean): readonly Json[] =>
    setCondition(conditions, { type, status: isTrue ? 'True' : 'False' }, now);
  const conditions = set(
    set(conditionsIn(pod), 'ContainersReady', areReady(pod)),
    'Ready',
    shouldBeReady(pod),
  );
  return withStatus(pod, { conditions });
}

const isJudged = (pod: KubeObject): boolean =>
  (textAt(conditionIn(pod, 'Ready'), 'status') === 'True') === shouldBeReady(pod);

const shouldBeReady = (pod: KubeObject): boolean =>
  areReady(pod) &&
  listAt(pod, 'spec', 'readinessGates').every(
    (gate) => textAt(conditionIn(pod, textAt(gate, 'conditionType') ?? ''), 'status') === 'True',
  );

const areReady = (pod: KubeObject): boolean => {
  const statuses = listAt(pod, 'status', 'containerStatuses');
  return statuses.length > 0 && statuses.every((each) => at(each, 'ready') === true);
};

const isHotPatched = (pod: KubeObject): boolean =>
  textAt(pod, 'metadata', 'annotations', 'io.kubernetes.hotpatch.container') === 'true';

const conditionsIn = (pod: KubeObject): readonly Json[] => listAt(pod, 'status', 'conditions');
const conditionIn = (pod: KubeObject, type: string): Json | undefined =>
  conditionsIn(pod).find((each) => textAt(each, 'type') === type);
const imageOf = (pod: KubeObject, name: string): string | undefined =>
  textAt(
    listAt(pod, 'spec', 'containers').find((each) => textAt(each, 'name') === name),
    'image',
  );

const withStatus = (pod: KubeObject, changes: JsonObject): KubeObject => ({
  ...pod,
  status: { ...objectAt(pod, 'status'), ...changes },
});

const withContainers = (pod: KubeObject, change: (status: JsonObject) => JsonObject): KubeObject =>
  withStatus(pod, {
    containerStatuses: listAt(pod, 'status', 'containerStatuses').filter(isObject).map(change),
  });
