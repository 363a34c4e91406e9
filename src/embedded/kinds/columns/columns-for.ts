import {
  admissionPolicyBindingColumns,
  admissionPolicyColumns,
  webhookConfigurationColumns,
} from './admission.ts';
import { horizontalPodAutoscalerColumns, scaleColumns } from './autoscaling.ts';
import { certificateSigningRequestColumns } from './certificates.ts';
import type { Column } from './column.ts';
import {
  configMapColumns,
  leaseColumns,
  namespaceColumns,
  secretColumns,
  serviceAccountColumns,
  runtimeClassColumns,
} from './config.ts';
import { defaultColumns } from './default-columns.ts';
import { eventColumns } from './events.ts';
import { cronJobColumns, jobColumns } from './jobs.ts';
import { ingressClassColumns, ingressColumns, networkPolicyColumns } from './networking.ts';
import { nodeColumns } from './nodes.ts';
import { podColumns, podTemplateColumns } from './pods.ts';
import { podDisruptionBudgetColumns, priorityClassColumns, resourceQuotaColumns } from './policy.ts';
import { bindingColumns } from './rbac.ts';
import { endpointsColumns, endpointSliceColumns, serviceColumns } from './services.ts';
import {
  csiNodeColumns,
  persistentVolumeClaimColumns,
  persistentVolumeColumns,
  storageClassColumns,
  volumeAttachmentColumns,
} from './storage.ts';
import {
  controllerRevisionColumns,
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
  replicationControllerColumns,
  statefulSetColumns,
} from './workloads.ts';

/** By `group/Kind`: every version of a kind prints the same. */
const tables: ReadonlyMap<string, readonly Column[]> = new Map(
  Object.entries({
    '/ConfigMap': configMapColumns,
    '/Endpoints': endpointsColumns,
    '/Event': eventColumns,
    '/LimitRange': defaultColumns,
    '/Namespace': namespaceColumns,
    '/Node': nodeColumns,
    '/PersistentVolume': persistentVolumeColumns,
    '/PersistentVolumeClaim': persistentVolumeClaimColumns,
    '/Pod': podColumns,
    '/PodTemplate': podTemplateColumns,
    '/ReplicationController': replicationControllerColumns,
    '/ResourceQuota': resourceQuotaColumns,
    '/Secret': secretColumns,
    '/Service': serviceColumns,
    '/ServiceAccount': serviceAccountColumns,
    'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookConfigurationColumns,
    'admissionregistration.k8s.io/ValidatingAdmissionPolicy': admissionPolicyColumns,
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': admissionPolicyBindingColumns,
    'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookConfigurationColumns,
    'apiextensions.k8s.io/CustomResourceDefinition': defaultColumns,
    'apps/ControllerRevision': controllerRevisionColumns,
    'apps/DaemonSet': daemonSetColumns,
    'apps/Deployment': deploymentColumns,
    'apps/ReplicaSet': replicaSetColumns,
    'apps/StatefulSet': statefulSetColumns,
    'autoscaling/HorizontalPodAutoscaler': horizontalPodAutoscalerColumns,
    'autoscaling/Scale': scaleColumns,
    'batch/CronJob': cronJobColumns,
    'batch/Job': jobColumns,
    'certificates.k8s.io/CertificateSigningRequest': certificateSigningRequestColumns,
    'coordination.k8s.io/Lease': leaseColumns,
    'discovery.k8s.io/EndpointSlice': endpointSliceColumns,
    'events.k8s.io/Event': eventColumns,
    'networking.k8s.io/Ingress': ingressColumns,
    'networking.k8s.io/IngressClass': ingressClassColumns,
    'networking.k8s.io/NetworkPolicy': networkPolicyColumns,
    'node.k8s.io/RuntimeClass': runtimeClassColumns,
    'policy/PodDisruptionBudget': podDisruptionBudgetColumns,
    'rbac.authorization.k8s.io/ClusterRole': defaultColumns,
    'rbac.authorization.k8s.io/ClusterRoleBinding': bindingColumns,
    'rbac.authorization.k8s.io/Role': defaultColumns,
    'rbac.authorization.k8s.io/RoleBinding': bindingColumns,
    'scheduling.k8s.io/PriorityClass': priorityClassColumns,
    'storage.k8s.io/CSINode': csiNodeColumns,
    'storage.k8s.io/StorageClass': storageClassColumns,
    'storage.k8s.io/VolumeAttachment': volumeAttachmentColumns,
  }),
);

/** The columns of a built-in kind; undefined for a kind that has none of its own: see `defaultColumns`. */
export function columnsFor(group: string, _version: string, kind: string): readonly Column[] | undefined {
  return tables.get(`${group}/${kind}`);
}
