import { autoscalerRules } from './autoscaler.ts';
import { configMapRules } from './config-map.ts';
import { controllerRevisionRules } from './controller-revision.ts';
import { cronJobRules } from './cron-job.ts';
import { daemonSetRules } from './daemon-set.ts';
import { deploymentRules } from './deployment.ts';
import { disruptionBudgetRules } from './disruption-budget.ts';
import { endpointSliceRules, endpointsRules } from './endpoints.ts';
import { coreEventRules, newEventRules } from './event.ts';
import { ingressClassRules, ingressRules } from './ingress.ts';
import { jobRules } from './job.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { leaseRules } from './lease.ts';
import { limitRangeRules, resourceQuotaRules } from './limits.ts';
import { namespaceRules } from './namespace.ts';
import { networkPolicyRules } from './network-policy.ts';
import { nodeRules } from './node.ts';
import { persistentVolumeClaimRules } from './persistent-volume-claim.ts';
import { persistentVolumeRules } from './persistent-volume.ts';
import { podRules } from './pod.ts';
import { defaultTemplate } from './pod-defaults.ts';
import { editMember } from '#base/json-edit.ts';
import { priorityClassRules } from './priority-class.ts';
import { clusterRoleBindingRules, clusterRoleRules, rbacRoleRules, roleBindingRules } from './rbac.ts';
import { replicaSetRules, replicationControllerRules } from './replica-set.ts';
import { secretRules } from './secret.ts';
import { serviceRules } from './service.ts';
import { statefulSetRules } from './stateful-set.ts';
import { statusRules } from './status-rules.ts';
import { storageClassRules } from './storage-class.ts';
import { mutatingWebhookRules, validatingWebhookRules } from './webhook-configuration.ts';

/** The rules of a built-in kind; ordinary ones for a kind without rules of its own. */
export function rulesFor(group: string, kind: string): KindRules {
  return rules.get(`${group}/${kind}`) ?? ordinary;
}

const ordinary = kindRules({});
/** W4: kinds that want to know which version an update replaces. */
const careful = kindRules({ allowUnconditionalUpdate: false });
const policy = kindRules({ generation: 'spec', allowUnconditionalUpdate: false });

const rules: ReadonlyMap<string, KindRules> = new Map([
  ['/ConfigMap', configMapRules],
  ['/Endpoints', endpointsRules],
  ['/Event', coreEventRules],
  ['/LimitRange', limitRangeRules],
  ['/Namespace', namespaceRules],
  ['/Node', nodeRules],
  ['/PersistentVolume', persistentVolumeRules],
  ['/PersistentVolumeClaim', persistentVolumeClaimRules],
  ['/Pod', podRules],
  ['/PodTemplate', kindRules({ defaults: (object) => editMember(object, 'template', defaultTemplate) })],
  ['/ReplicationController', replicationControllerRules],
  ['/ResourceQuota', resourceQuotaRules],
  ['/Secret', secretRules],
  ['/Service', serviceRules],
  ['/ServiceAccount', kindRules({ metaOnUpdate: 'create-and-update' })],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', mutatingWebhookRules],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', validatingWebhookRules],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', { ...policy, ...statusRules(() => ({})) }],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', policy],
  ['apps/ControllerRevision', controllerRevisionRules],
  ['apps/DaemonSet', daemonSetRules],
  ['apps/Deployment', deploymentRules],
  ['apps/ReplicaSet', replicaSetRules],
  ['apps/StatefulSet', statefulSetRules],
  ['autoscaling/HorizontalPodAutoscaler', autoscalerRules],
  ['batch/CronJob', cronJobRules],
  ['batch/Job', jobRules],
  ['coordination.k8s.io/Lease', leaseRules],
  ['discovery.k8s.io/EndpointSlice', endpointSliceRules],
  ['events.k8s.io/Event', newEventRules],
  ['networking.k8s.io/Ingress', ingressRules],
  ['networking.k8s.io/IngressClass', ingressClassRules],
  ['networking.k8s.io/NetworkPolicy', networkPolicyRules],
  ['node.k8s.io/RuntimeClass', kindRules({ allowUnconditionalUpdate: false, allowCreateOnUpdate: true })],
  ['policy/PodDisruptionBudget', disruptionBudgetRules],
  ['rbac.authorization.k8s.io/ClusterRole', clusterRoleRules],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', clusterRoleBindingRules],
  ['rbac.authorization.k8s.io/Role', rbacRoleRules],
  ['rbac.authorization.k8s.io/RoleBinding', roleBindingRules],
  ['scheduling.k8s.io/PriorityClass', priorityClassRules],
  ['storage.k8s.io/CSIDriver', careful],
  ['storage.k8s.io/CSINode', careful],
  ['storage.k8s.io/CSIStorageCapacity', careful],
  ['storage.k8s.io/StorageClass', storageClassRules],
]);
