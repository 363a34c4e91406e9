import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { adminRules, editRules, viewRules } from './namespace-roles.ts';
import { fullAuthority, ruleJson, type PolicyRule } from './policy-rule.ts';
import { paths, resources } from './rule-lines.ts';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;

/** Objects with this annotation are brought up to date at every start. */
export const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';
const bootstrapping = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

const meta = (name: string, labels: JsonObject = {}): JsonObject => ({
  name,
  labels: { ...bootstrapping, ...labels },
  annotations: { [autoUpdate]: 'true' },
});

const role = (name: string, rules: readonly PolicyRule[], labels: JsonObject = {}): KubeObject => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: meta(name, labels),
  rules: rules.map(ruleJson),
});

const aggregateTo = (name: string): JsonObject => ({ [`${group}/aggregate-to-${name}`]: 'true' });

/** Its rules are those of all roles with the label, so that new kinds can join. */
const gatherer = (name: string, labels: JsonObject = {}): KubeObject => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: meta(name, labels),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] },
  rules: null,
});

const health = '/healthz /livez /readyz';

/** The ClusterRoles that every cluster has and clients count on. */
export const bootstrapRoles: readonly KubeObject[] = [
  role('cluster-admin', fullAuthority),
  gatherer('admin'),
  gatherer('edit', aggregateTo('admin')),
  gatherer('view', aggregateTo('edit')),
  role('system:aggregate-to-admin', adminRules, aggregateTo('admin')),
  role('system:aggregate-to-edit', editRules, aggregateTo('edit')),
  role('system:aggregate-to-view', viewRules, aggregateTo('view')),
  role('system:discovery', [
    paths('get', `/api /api/* /apis /apis/* ${health} /openapi /openapi/* /version /version/`),
  ]),
  role('system:public-info-viewer', [paths('get', `${health} /version /version/`)]),
  role('system:basic-user', [
    resources('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
    resources('create', 'authentication.k8s.io', 'selfsubjectreviews'),
  ]),
  role('system:monitoring', [
    paths('get', `/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*`),
  ]),
  role('system:auth-delegator', [
    resources('create', 'authentication.k8s.io', 'tokenreviews'),
    resources('create', 'authorization.k8s.io', 'subjectaccessreviews'),
  ]),
];

const binding = (roleName: string, ...groups: readonly string[]): KubeObject => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: meta(roleName),
  subjects: groups.map((name) => ({ kind: 'Group', apiGroup: group, name })),
  roleRef: { apiGroup: group, kind: 'ClusterRole', name: roleName },
});

export const bootstrapBindings: readonly KubeObject[] = [
  binding('cluster-admin', 'system:masters'),
  binding('system:discovery', 'system:authenticated'),
  binding('system:basic-user', 'system:authenticated'),
  binding('system:public-info-viewer', 'system:authenticated', 'system:unauthenticated'),
  binding('system:monitoring', 'system:monitoring'),
];
