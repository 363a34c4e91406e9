import { numberAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { conditionOf, type Condition, type ConditionStatus } from '#kube/conditions.ts';
import type { Children } from './cycle.ts';
import type { FormFactor } from '#registrations/model/registration.ts';

/** The conditions of the live children. `hasProblem`: a missing child may still be created. */
export function formConditions(form: FormFactor, live: Children, hasProblem: boolean): readonly Condition[] {
  if (form.type === 'ksvc') return [knativeReady(live.ksvc)];
  const deployment = deploymentReady(live.deployment);
  return form.service === undefined ? [deployment] : [deployment, serviceReady(live.service, hasProblem)];
}

type Found = { readonly status: ConditionStatus; readonly reason: string; readonly message: string };

/** The condition of a child, when it has a valid status. */
function childCondition(child: KubeObject | undefined, type: string): Found | undefined {
  const found = child && conditionOf(child, type);
  const status = textAt(found, 'status');
  if (status !== 'True' && status !== 'False' && status !== 'Unknown') return undefined;
  return { status, reason: textAt(found, 'reason') ?? '', message: textAt(found, 'message') ?? '' };
}

function deploymentReady(deployment: KubeObject | undefined): Condition {
  const type = 'DeploymentReady';
  const stuck = childCondition(deployment, 'Progressing');
  if (stuck?.status === 'False')
    return { type, status: 'False', reason: stuck.reason || 'DeploymentStuck', message: stuck.message };
  return { type, ...availability(deployment) };
}

function availability(deployment: KubeObject | undefined): Found {
  const found = childCondition(deployment, 'Available');
  if (found === undefined || found.status === 'Unknown')
    return { status: 'Unknown', reason: 'DeploymentUnknown', message: found?.message ?? '' };
  const { status, reason, message } = found;
  const missing = missingPods(deployment);
  if (status === 'True' && missing > 0)
    return { status: 'False', reason: 'NoReadyPods', message: `none of ${missing} pods is ready` };
  return { status, reason: reason || 'DeploymentUnknown', message: status === 'True' ? '' : message };
}

/** The number of desired pods when none is ready; otherwise 0. */
function missingPods(deployment: KubeObject | undefined): number {
  const isSomeReady = (numberAt(deployment, 'status', 'readyReplicas') ?? 0) > 0;
  return isSomeReady ? 0 : (numberAt(deployment, 'spec', 'replicas') ?? 1);
}

function serviceReady(service: KubeObject | undefined, hasProblem: boolean): Condition {
  const type = 'ServiceReady';
  if (service !== undefined) return { type, status: 'True', reason: 'ServiceExist', message: '' };
  return hasProblem
    ? { type, status: 'Unknown', reason: 'UNKNOWN', message: '' }
    : { type, status: 'False', reason: 'ServiceDoesNotExist', message: '' };
}

function knativeReady(service: KubeObject | undefined): Condition {
  const type = 'KnativeServiceReady';
  const found = childCondition(service, 'Ready');
  if (found?.status === 'True') return { type, status: 'True', reason: 'KNSERVICEOK', message: '' };
  if (found?.status === 'False')
    return { type, status: 'False', reason: found.reason || 'KNSERVICENOTOK', message: found.message };
  return { type, status: 'Unknown', reason: 'KNSERVICEUNKOWN', message: found?.message ?? '' };
}
