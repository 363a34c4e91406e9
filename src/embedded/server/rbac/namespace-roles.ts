import type { PolicyRule } from './policy-rule.ts';
import { resources } from './rule-lines.ts';

const read = 'get list watch';
const write = 'create delete deletecollection patch update';
const all = 'create delete deletecollection get list patch update watch';

/** The rules of `view`: everything in a namespace but secrets, roles and bindings. */
export const viewRules: readonly PolicyRule[] = [
  resources(
    read,
    '',
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
  ),
  resources(
    read,
    '',
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
  ),
  resources(read, '', 'namespaces'),
  resources(read, 'discovery.k8s.io', 'endpointslices'),
  resources(
    read,
    'apps',
    'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
  ),
  resources(read, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  resources(read, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
  resources(
    read,
    'extensions',
    'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
  ),
  resources(read, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
  resources(read, 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
];

/** The rules of `edit` beyond those of `view`. */
export const editRules: readonly PolicyRule[] = [
  resources(read, '', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
  resources('impersonate', '', 'serviceaccounts'),
  resources(write, '', 'pods pods/attach pods/exec pods/portforward pods/proxy'),
  resources('create', '', 'pods/eviction'),
  resources(
    write,
    '',
    'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
  ),
  resources('create', '', 'serviceaccounts/token'),
  resources(
    write,
    'apps',
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
  ),
  resources(write, 'autoscaling', 'horizontalpodautoscalers'),
  resources(write, 'batch', 'cronjobs jobs'),
  resources(
    write,
    'extensions',
    'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
  ),
  resources(write, 'policy', 'poddisruptionbudgets'),
  resources(write, 'networking.k8s.io', 'ingresses networkpolicies'),
  resources(all, 'coordination.k8s.io', 'leases'),
];

/** The rules of `admin` beyond those of `edit`: roles and bindings. */
export const adminRules: readonly PolicyRule[] = [
  resources('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
  resources(all, 'rbac.authorization.k8s.io', 'rolebindings roles'),
];
