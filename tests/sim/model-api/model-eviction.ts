import { at, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { labelSelectorOf, matchesLabels } from '#kube/label-selector.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { ApiError } from '#kube/status.ts';
import { pods } from '#loop/owned/resources.ts';
import type { ModelApi } from './model-api.ts';

const budgets = 'policy/poddisruptionbudgets';

/** POST to `pods/NAME/eviction`: a deletion that a PodDisruptionBudget must allow. */
export function evict(api: ModelApi, eviction: KubeObject): KubeObject {
  const key = { namespace: namespaceOf(eviction), name: nameOf(eviction) };
  const pod = api.get(pods, key);
  if (needsBudget(pod)) spend(api, pod);
  api.set('/pods', marked(pod, api.clock.now()));
  const gracePeriodSeconds = numberAt(eviction, 'deleteOptions', 'gracePeriodSeconds');
  api.remove(pods, key, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
}

const needsBudget = (pod: KubeObject): boolean =>
  !isDeleting(pod) && textAt(pod, 'status', 'phase') === 'Running';

/** One disruption less is allowed from now on. */
function spend(api: ModelApi, pod: KubeObject): void {
  const found = [...api.store.within(budgets, namespaceOf(pod)).values()].filter((budget) =>
    matchesLabels(labelSelectorOf(objectAt(budget, 'spec', 'selector') ?? {}), labelsOf(pod)),
  );
  const [budget] = found;
  if (budget === undefined) return;
  if (found.length > 1)
    throw new ApiError({ code: 500, reason: 'InternalError', message: 'This pod has more than one budget.' });
  const status = objectAt(budget, 'status') ?? {};
  const allowed = numberAt(status, 'disruptionsAllowed') ?? 0;
  const isSeen =
    (numberAt(status, 'observedGeneration') ?? 0) >= (numberAt(budget, 'metadata', 'generation') ?? 0);
  if (!isSeen || allowed <= 0)
    throw new ApiError({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
    });
  const disruptedPods = {
    ...objectAt(status, 'disruptedPods'),
    [nameOf(pod)]: formatTime(api.clock.now()),
  };
  const spent = { ...status, disruptionsAllowed: allowed - 1, disruptedPods };
  api.set(budgets, {
    ...budget,
    status: allowed > 1 ? spent : { ...spent, ...exhausted(status, api.clock.now()) },
  });
}

const exhausted = (status: JsonObject, now: Instant): JsonObject => ({
  conditions: [
    ...listAt(status, 'conditions').filter((each) => at(each, 'type') !== 'DisruptionAllowed'),
    {
      type: 'DisruptionAllowed',
      status: 'False',
      observedGeneration: numberAt(status, 'observedGeneration') ?? 0,
      lastTransitionTime: formatTime(now),
      reason: 'InsufficientPods',
      message: '',
    },
  ],
});

function marked(pod: KubeObject, now: Instant): KubeObject {
  const others = listAt(pod, 'status', 'conditions').filter(
    (each) => at(each, 'type') !== 'DisruptionTarget',
  );
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: formatTime(now),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  return { ...pod, status: { ...objectAt(pod, 'status'), conditions: [...others, condition] } };
}
