import type { TypePackage } from './type-package.ts';

/** Every type of rbac.authorization.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const rbacV1: TypePackage = {
  name: 'io.k8s.api.rbac.v1',
  alias: 'rbac',
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  lines: `
AggregationRule
 clusterRoleSelectors 1 []meta.LabelSelector? =atomic
ClusterRole kind
 metadata 1 meta.ObjectMeta?
 rules 2 []PolicyRule+ =atomic
 aggregationRule 3 *AggregationRule?
ClusterRoleBinding kind
 metadata 1 meta.ObjectMeta?
 subjects 2 []Subject? =atomic
 roleRef 3 RoleRef
ClusterRoleBindingList kind
 metadata 1 meta.ListMeta?
 items 2 []ClusterRoleBinding
ClusterRoleList kind
 metadata 1 meta.ListMeta?
 items 2 []ClusterRole
PolicyRule
 verbs 1 []string =atomic
 apiGroups 2 []string? =atomic
 resources 3 []string? =atomic
 resourceNames 4 []string? =atomic
 nonResourceURLs 5 []string? =atomic
Role kind
 metadata 1 meta.ObjectMeta?
 rules 2 []PolicyRule+ =atomic
RoleBinding kind
 metadata 1 meta.ObjectMeta?
 subjects 2 []Subject? =atomic
 roleRef 3 RoleRef
RoleBindingList kind
 metadata 1 meta.ListMeta?
 items 2 []RoleBinding
RoleList kind
 metadata 1 meta.ListMeta?
 items 2 []Role
RoleRef atomic
 apiGroup 1 string
 kind 2 string
 name 3 string
Subject atomic
 kind 1 string
 apiGroup 2 string?
 name 3 string
 namespace 4 string?
`,
};
