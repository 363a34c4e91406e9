import { editMember } from '#base/json-edit.ts';
import { kindsOf, type BuiltinKind } from './builtin-kind.ts';
import {
  admissionPolicyBindingColumns,
  admissionPolicyColumns,
  webhookConfigurationColumns,
} from './columns/admission.ts';
import { horizontalPodAutoscalerColumns } from './columns/autoscaling.ts';
import { certificateSigningRequestColumns } from './columns/certificates.ts';
import {
  configMapColumns,
  leaseColumns,
  namespaceColumns,
  secretColumns,
  serviceAccountColumns,
  runtimeClassColumns,
} from './columns/config.ts';
import { eventColumns } from './columns/events.ts';
import { cronJobColumns, jobColumns } from './columns/jobs.ts';
import { ingressClassColumns, ingressColumns, networkPolicyColumns } from './columns/networking.ts';
import { nodeColumns } from './columns/nodes.ts';
import { podColumns, podTemplateColumns } from './columns/pods.ts';
import { podDisruptionBudgetColumns, priorityClassColumns, resourceQuotaColumns } from './columns/policy.ts';
import { bindingColumns } from './columns/rbac.ts';
import { endpointsColumns, endpointSliceColumns, serviceColumns } from './columns/services.ts';
import {
  csiNodeColumns,
  persistentVolumeClaimColumns,
  persistentVolumeColumns,
  storageClassColumns,
  volumeAttachmentColumns,
} from './columns/storage.ts';
import {
  controllerRevisionColumns,
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
  replicationControllerColumns,
  statefulSetColumns,
} from './columns/workloads.ts';
import { autoscalerConversion, eventConversion } from './conversions.ts';
import { autoscalerRules } from './rules/autoscaler.ts';
import { configMapRules } from './rules/config-map.ts';
import { controllerRevisionRules } from './rules/controller-revision.ts';
import { crdRules } from './rules/crd.ts';
import { cronJobRules } from './rules/cron-job.ts';
import { daemonSetRules } from './rules/daemon-set.ts';
import { deploymentRules } from './rules/deployment.ts';
import { disruptionBudgetRules } from './rules/disruption-budget.ts';
import { endpointSliceRules, endpointsRules } from './rules/endpoints.ts';
import { coreEventRules, newEventRules } from './rules/event.ts';
import { ingressClassRules, ingressRules } from './rules/ingress.ts';
import { jobRules } from './rules/job.ts';
import { kindRules } from './rules/kind-rules.ts';
import { leaseRules } from './rules/lease.ts';
import { limitRangeRules, resourceQuotaRules } from './rules/limits.ts';
import { namespaceRules } from './rules/namespace.ts';
import { networkPolicyRules } from './rules/network-policy.ts';
import { nodeRules } from './rules/node.ts';
import { persistentVolumeClaimRules } from './rules/persistent-volume-claim.ts';
import { persistentVolumeRules } from './rules/persistent-volume.ts';
import { defaultTemplate } from './rules/pod-defaults.ts';
import { podRules } from './rules/pod.ts';
import { priorityClassRules } from './rules/priority-class.ts';
import { clusterRoleBindingRules, clusterRoleRules, rbacRoleRules, roleBindingRules } from './rules/rbac.ts';
import { replicaSetRules, replicationControllerRules } from './rules/replica-set.ts';
import { secretRules } from './rules/secret.ts';
import { serviceRules } from './rules/service.ts';
import { statefulSetRules } from './rules/stateful-set.ts';
import { statusRules } from './rules/status-rules.ts';
import { storageClassRules } from './rules/storage-class.ts';
import { mutatingWebhookRules, validatingWebhookRules } from './rules/webhook-configuration.ts';

/** Kinds whose updates must name the resourceVersion that they replace. */
const conditionalUpdate = kindRules({ allowUnconditionalUpdate: false });
const admissionPolicy = kindRules({ generation: 'spec', allowUnconditionalUpdate: false });
const admissionPolicyWithStatus = { ...admissionPolicy, ...statusRules(() => ({})) };
const podTemplateRules = kindRules({ defaults: (object) => editMember(object, 'template', defaultTemplate) });
const serviceAccountRules = kindRules({ metaOnUpdate: 'create-and-update' });
const runtimeClassRules = kindRules({ allowUnconditionalUpdate: false, allowCreateOnUpdate: true });

/** All built-in kinds, in the order in which discovery lists them. */
export const builtinKinds: readonly BuiltinKind[] = [
  ...kindsOf('', 'v1', [
    ['bindings Binding ns verbs=create'],
    ['componentstatuses ComponentStatus cluster short=cs verbs=get,list'],
    ['configmaps ConfigMap ns short=cm', { rules: configMapRules, columns: configMapColumns }],
    ['endpoints Endpoints ns short=ep', { rules: endpointsRules, columns: endpointsColumns }],
    ['events Event ns short=ev', { rules: coreEventRules, columns: eventColumns }],
    ['limitranges LimitRange ns short=limits', { rules: limitRangeRules }],
    [
      'namespaces Namespace cluster short=ns verbs=create,delete,get,list,patch,update,watch sub=finalize,status',
      { rules: namespaceRules, columns: namespaceColumns },
    ],
    ['nodes Node cluster short=no sub=proxy,status', { rules: nodeRules, columns: nodeColumns }],
    [
      'persistentvolumeclaims PersistentVolumeClaim ns short=pvc sub=status',
      { rules: persistentVolumeClaimRules, columns: persistentVolumeClaimColumns },
    ],
    [
      'persistentvolumes PersistentVolume cluster short=pv sub=status',
      { rules: persistentVolumeRules, columns: persistentVolumeColumns },
    ],
    [
      'pods Pod ns short=po cat=all sub=attach,binding,ephemeralcontainers,eviction,exec,log,portforward,proxy,status',
      { rules: podRules, columns: podColumns },
    ],
    ['podtemplates PodTemplate ns', { rules: podTemplateRules, columns: podTemplateColumns }],
    [
      'replicationcontrollers ReplicationController ns short=rc cat=all sub=scale,status',
      { rules: replicationControllerRules, columns: replicationControllerColumns },
    ],
    [
      'resourcequotas ResourceQuota ns short=quota sub=status',
      { rules: resourceQuotaRules, columns: resourceQuotaColumns },
    ],
    ['secrets Secret ns', { rules: secretRules, columns: secretColumns }],
    [
      'serviceaccounts ServiceAccount ns short=sa sub=token',
      { rules: serviceAccountRules, columns: serviceAccountColumns },
    ],
    [
      'services Service ns short=svc cat=all sub=proxy,status',
      { rules: serviceRules, columns: serviceColumns },
    ],
  ]),
  ...kindsOf('events.k8s.io', 'v1', [
    [
      'events Event ns short=ev',
      {
        rules: newEventRules,
        columns: eventColumns,
        stored: { group: '', version: 'v1', conversion: eventConversion },
      },
    ],
  ]),
  ...kindsOf('authentication.k8s.io', 'v1', [
    ['selfsubjectreviews SelfSubjectReview cluster verbs=create'],
    ['tokenreviews TokenReview cluster verbs=create'],
  ]),
  ...kindsOf('authorization.k8s.io', 'v1', [
    ['localsubjectaccessreviews LocalSubjectAccessReview ns verbs=create'],
    ['selfsubjectaccessreviews SelfSubjectAccessReview cluster verbs=create'],
    ['selfsubjectrulesreviews SelfSubjectRulesReview cluster verbs=create'],
    ['subjectaccessreviews SubjectAccessReview cluster verbs=create'],
  ]),
  ...kindsOf('autoscaling', 'v2', [
    [
      'horizontalpodautoscalers HorizontalPodAutoscaler ns short=hpa cat=all sub=status',
      { rules: autoscalerRules, columns: horizontalPodAutoscalerColumns },
    ],
  ]),
  ...kindsOf('autoscaling', 'v1', [
    [
      'horizontalpodautoscalers HorizontalPodAutoscaler ns short=hpa cat=all sub=status',
      {
        rules: autoscalerRules,
        columns: horizontalPodAutoscalerColumns,
        stored: { group: 'autoscaling', version: 'v2', conversion: autoscalerConversion },
      },
    ],
  ]),
  ...kindsOf('batch', 'v1', [
    ['cronjobs CronJob ns short=cj cat=all sub=status', { rules: cronJobRules, columns: cronJobColumns }],
    ['jobs Job ns cat=all sub=status', { rules: jobRules, columns: jobColumns }],
  ]),
  ...kindsOf('certificates.k8s.io', 'v1', [
    [
      'certificatesigningrequests CertificateSigningRequest cluster short=csr sub=approval,status',
      { columns: certificateSigningRequestColumns, served: false },
    ],
  ]),
  ...kindsOf('apps', 'v1', [
    [
      'controllerrevisions ControllerRevision ns',
      { rules: controllerRevisionRules, columns: controllerRevisionColumns },
    ],
    [
      'daemonsets DaemonSet ns short=ds cat=all sub=status',
      { rules: daemonSetRules, columns: daemonSetColumns },
    ],
    [
      'deployments Deployment ns short=deploy cat=all sub=scale,status',
      { rules: deploymentRules, columns: deploymentColumns },
    ],
    [
      'replicasets ReplicaSet ns short=rs cat=all sub=scale,status',
      { rules: replicaSetRules, columns: replicaSetColumns },
    ],
    [
      'statefulsets StatefulSet ns short=sts cat=all sub=scale,status',
      { rules: statefulSetRules, columns: statefulSetColumns },
    ],
  ]),
  ...kindsOf('networking.k8s.io', 'v1', [
    ['ingressclasses IngressClass cluster', { rules: ingressClassRules, columns: ingressClassColumns }],
    ['ingresses Ingress ns short=ing sub=status', { rules: ingressRules, columns: ingressColumns }],
    [
      'networkpolicies NetworkPolicy ns short=netpol',
      { rules: networkPolicyRules, columns: networkPolicyColumns },
    ],
  ]),
  ...kindsOf('policy', 'v1', [
    [
      'poddisruptionbudgets PodDisruptionBudget ns short=pdb sub=status',
      { rules: disruptionBudgetRules, columns: podDisruptionBudgetColumns },
    ],
  ]),
  ...kindsOf('rbac.authorization.k8s.io', 'v1', [
    [
      'clusterrolebindings ClusterRoleBinding cluster',
      { rules: clusterRoleBindingRules, columns: bindingColumns },
    ],
    ['clusterroles ClusterRole cluster', { rules: clusterRoleRules }],
    ['rolebindings RoleBinding ns', { rules: roleBindingRules, columns: bindingColumns }],
    ['roles Role ns', { rules: rbacRoleRules }],
  ]),
  ...kindsOf('storage.k8s.io', 'v1', [
    ['csidrivers CSIDriver cluster', { rules: conditionalUpdate, served: false }],
    ['csinodes CSINode cluster', { rules: conditionalUpdate, columns: csiNodeColumns, served: false }],
    ['csistoragecapacities CSIStorageCapacity ns', { rules: conditionalUpdate, served: false }],
    [
      'storageclasses StorageClass cluster short=sc',
      { rules: storageClassRules, columns: storageClassColumns },
    ],
    [
      'volumeattachments VolumeAttachment cluster sub=status',
      { columns: volumeAttachmentColumns, served: false },
    ],
  ]),
  ...kindsOf('admissionregistration.k8s.io', 'v1', [
    [
      'mutatingwebhookconfigurations MutatingWebhookConfiguration cluster cat=api-extensions',
      { rules: mutatingWebhookRules, columns: webhookConfigurationColumns, served: false },
    ],
    [
      'validatingadmissionpolicies ValidatingAdmissionPolicy cluster cat=api-extensions sub=status',
      { rules: admissionPolicyWithStatus, columns: admissionPolicyColumns, served: false },
    ],
    [
      'validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding cluster cat=api-extensions',
      { rules: admissionPolicy, columns: admissionPolicyBindingColumns, served: false },
    ],
    [
      'validatingwebhookconfigurations ValidatingWebhookConfiguration cluster cat=api-extensions',
      { rules: validatingWebhookRules, columns: webhookConfigurationColumns, served: false },
    ],
  ]),
  ...kindsOf('apiextensions.k8s.io', 'v1', [
    [
      'customresourcedefinitions CustomResourceDefinition cluster short=crd,crds cat=api-extensions sub=status',
      { rules: crdRules },
    ],
  ]),
  ...kindsOf('scheduling.k8s.io', 'v1', [
    [
      'priorityclasses PriorityClass cluster short=pc',
      { rules: priorityClassRules, columns: priorityClassColumns },
    ],
  ]),
  ...kindsOf('coordination.k8s.io', 'v1', [
    ['leases Lease ns', { rules: leaseRules, columns: leaseColumns }],
  ]),
  ...kindsOf('node.k8s.io', 'v1', [
    [
      'runtimeclasses RuntimeClass cluster',
      { rules: runtimeClassRules, columns: runtimeClassColumns, served: false },
    ],
  ]),
  ...kindsOf('discovery.k8s.io', 'v1', [
    ['endpointslices EndpointSlice ns', { rules: endpointSliceRules, columns: endpointSliceColumns }],
  ]),
];
