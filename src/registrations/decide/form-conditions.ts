import { listAt, numberAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { InstanceCondition, Truth } from './conditions.ts';
import type { Children } from './cycle.ts';
import type { FormFactor } from '#registrations/model/registration.ts';

/** What the live children say (§3.5). `isTroubled`: what is missing may still come. */
export function formConditions(
  form: FormFactor,
  live: Children,
  hasProblem: boolean,
): readonly InstanceCondition[] {
  if (form.type === 'ksvc') return [knativeReady(live.ksvc)];
  const deployment = deploymentReady(live.deployment);
  return form.service === undefined ? [deployment] : [deployment, serviceReady(live.service, hasProblem)];
}

type Found = { readonly status: Truth; readonly reason: string; readonly message: string };

/** The condition of a child, when it says anything at all. */
function conditionOf(child: KubeObject | undefined, type: string): Found | undefined {
  const found = listAt(child, 'status', 'conditions').find((each) => textAt(each, 'type') === type);
  const status = textAt(found, 'status');
  if (status !== 'True' && status !== 'False' && status !== 'Unknown') return undefined;
  return { status, reason: textAt(found, 'reason') ?? '', message: textAt(found, 'message') ?? '' };
}

function deploymentReady(deployment: KubeObject | undefined): InstanceCondition {
  const type = 'DeploymentReady';
  const stuck = conditionOf(deployment, 'Progressing');
  if (stuck?.status === 'False')
    return { type, status: 'False', reason: stuck.reason || 'DeploymentStuck', message: stuck.message };
  return { type, ...availability(deployment) };
}

function availability(deployment: KubeObject | undefined): Found {
  const found = conditionOf(deployment, 'Available');
  if (found === undefined || found.status === 'Unknown')
    return { status: 'Unknown', reason: 'DeploymentUnknown', message: found?.message ?? '' };
  const { status, reason, message } = found;
  const missing = missingPods(deployment);
  if (status === 'True' && missing > 0)
    return { status: 'False', reason: 'NoReadyPods', message: `none of ${missing} pods is ready` };
  return { status, reason: reason || 'DeploymentUnknown', message: status === 'True' ? '' : message };
}

/** How many pods are wanted when none is ready. */
function missingPods(deployment: KubeObject | undefined): number {
  const isSomeReady = (numberAt(deployment, 'status', 'readyReplicas') ?? 0) > 0;
  return isSomeReady ? 0 : (numberAt(deployment, 'spec', 'replicas') ?? 1);
}

function serviceReady(service: KubeObject | undefined, hasProblem: boolean): InstanceCondition {
  const type = 'ServiceReady';
  if (service !== undefined) return { type, status: 'True', reason: 'ServiceExist', message: '' };
  return hasProblem
    ? { type, status: 'Unknown', reason: 'UNKNOWN', message: '' }
    : { type, status: 'False', reason: 'ServiceDoesNotExist', message: '' };
}

function knativeReady(service: KubeObject | undefined): InstanceCondition {
  const type = 'KnativeServiceReady';
  const found = conditionOf(service, 'Ready');
  if (found?.status === 'True') return { type, status: 'True', reason: 'KNSERVICEOK', message: '' };
  if (found?.status === 'False')
    return { type, status: 'False', reason: found.reason || 'KNSERVICENOTOK', message: found.message };
  return { type, status: 'Unknown', reason: 'KNSERVICEUNKOWN', message: found?.message ?? '' };
}
