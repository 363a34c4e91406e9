import { listAt, numberAt, textAt } from '#base/json.ts';
import { badMessage, isBad, phaseOf } from '#hooks/decide/run-phase.ts';
import { conditionOf, isConditionTrue } from '#kube/conditions.ts';
import { labelsOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { releaseSummaryOf } from '#releases/decide/view/release-summary.ts';
import { releaseVerdict } from '#releases/decide/view/release-verdict.ts';
import { topicText } from '#web/wire/topic.ts';
import type { OverviewRow } from '#web/wire/overview.ts';

type Common = Pick<OverviewRow, 'namespace' | 'name' | 'created' | 'labels'>;

const common = (object: KubeObject): Common => ({
  namespace: namespaceOf(object),
  name: nameOf(object),
  created: textAt(object, 'metadata', 'creationTimestamp') ?? '',
  labels: labelsOf(object),
});

/** The row of a workload. `kind`: objects in a list often have none of their own. */
export function releaseRow(workload: KubeObject, kind: 'GameDeployment' | 'GameStatefulSet'): OverviewRow {
  const { phase, reason, message, step, images, replicas: pods } = releaseSummaryOf(workload);
  const { namespace, name, ...rest } = common(workload);
  const verdict = releaseVerdict(workload).type;
  return {
    key: topicText({ type: 'release', kind, namespace, name }),
    kind: 'release',
    objectKind: kind,
    namespace,
    name,
    ...rest,
    phase,
    reason,
    message,
    needsUser: verdict === 'waiting' || verdict === 'failed',
    isFailed: verdict === 'failed',
    ...(step === undefined ? {} : { step: `${step.current}/${step.count}` }),
    images: images.map(({ image }) => image),
    pods: { ready: pods.ready, desired: pods.desired, updated: pods.updated },
  };
}

export function runRow(run: KubeObject): OverviewRow {
  const { namespace, name, ...rest } = common(run);
  return {
    key: topicText({ type: 'hookrun', namespace, name }),
    kind: 'hookrun',
    objectKind: 'HookRun',
    namespace,
    name,
    ...rest,
    phase: phaseOf(run) || 'Pending',
    reason: '',
    message: isBad(run) ? badMessage(run) : (textAt(run, 'status', 'message') ?? ''),
    // What a failed run stops needs a user, and has a row of its own.
    needsUser: false,
    isFailed: isBad(run),
  };
}

export function clusterRow(cluster: KubeObject): OverviewRow {
  const { name, ...rest } = common(cluster);
  const isFailed = (numberAt(cluster, 'status', 'operation', 'failures') ?? 0) > 0;
  return {
    key: topicText({ type: 'cluster', name }),
    kind: 'cluster',
    objectKind: 'Cluster',
    name,
    ...rest,
    phase: textAt(cluster, 'status', 'phase') ?? 'Pending',
    reason: textAt(cluster, 'status', 'reason') ?? '',
    message: textAt(cluster, 'status', 'message') ?? '',
    // A failed step is tried again, but seldom succeeds before somebody has looked.
    needsUser: isFailed || listAt(cluster, 'status', 'pauseConditions').length > 0,
    isFailed,
  };
}

export function registrationRow(registration: KubeObject): OverviewRow {
  const { name, ...rest } = common(registration);
  const ready = conditionOf(registration, 'Ready');
  const isReady = isConditionTrue(registration, 'Ready');
  const isHealthy = textAt(conditionOf(registration, 'HookHealthy'), 'status') !== 'False';
  const telling =
    isReady && !isHealthy ? conditionOf(registration, 'HookHealthy') : (notReady(registration) ?? ready);
  return {
    key: topicText({ type: 'registration', name }),
    kind: 'registration',
    objectKind: 'CRDRegistration',
    name,
    ...rest,
    phase: phaseOfRegistration(ready, isReady, isHealthy),
    reason: isReady && isHealthy ? '' : (textAt(telling, 'reason') ?? ''),
    message: isReady && isHealthy ? '' : (textAt(telling, 'message') ?? ''),
    needsUser: textAt(ready, 'status') === 'False',
    isFailed: textAt(ready, 'status') === 'False' || !isHealthy,
  };
}

/** The condition that Ready depends on and that tells more. */
const notReady = (registration: KubeObject) =>
  ['CRDExists', 'ControllerReady']
    .map((type) => conditionOf(registration, type))
    .find((each) => textAt(each, 'status') === 'False');

function phaseOfRegistration(ready: object | undefined, isReady: boolean, isHealthy: boolean): string {
  if (ready === undefined) return 'Pending';
  if (!isReady) return 'NotReady';
  return isHealthy ? 'Ready' : 'HookUnhealthy';
}
