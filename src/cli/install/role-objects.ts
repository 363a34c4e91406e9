import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { mergedRules, type AccessRule } from './access-rule.ts';
import { controllerGroups, type ControllerGroup, type ControlName } from './control-names.ts';
import { logRoles } from './log-roles.ts';
import { commonRights, grants, rightsOf, type GrantName, type Rights } from './rights.ts';

/** The ServiceAccount of the controllers. */
export type ControllerAccount = { readonly namespace: string; readonly serviceAccount: string };

export type RolePlace = ControllerAccount & {
  /** The only namespaces that the controllers use, with Roles there; undefined: all, with ClusterRoles. */
  readonly namespaces?: readonly string[] | undefined;
};

/** The roles and bindings of the chosen controllers of a group; none when none is chosen. */
export function groupRoles(
  group: ControllerGroup,
  names: ReadonlySet<ControlName>,
  place: RolePlace,
): readonly KubeObject[] {
  const chosen = controllerGroups[group].filter((name) => names.has(name));
  if (chosen.length === 0) return [];
  const rights = joined(chosen.map((name) => rightsOf[name]));
  const name = group === 'base' ? place.serviceAccount : `${place.serviceAccount}-${group}`;
  return [
    ...rolesOf(name, rights, place),
    ...(group === 'base' ? [] : logRoles(name, place)),
    ...(group === 'registrations' ? registered(place) : []),
  ];
}

/** The role that every process of the controllers needs, whichever of them it runs. */
export const commonRoles = (place: RolePlace): readonly KubeObject[] =>
  rolesOf(place.serviceAccount, commonRights, place);

/** The role and its binding of a right that an administrator adds. */
export const grantRoles = (grant: GrantName, place: RolePlace): readonly KubeObject[] =>
  rolesOf(`${place.serviceAccount}-${grant}`, grants[grant], place);

/** Roles for reading the Secrets of some namespaces, and nothing else. */
export const secretRoles = (namespaces: readonly string[], place: ControllerAccount): readonly KubeObject[] =>
  grantRoles('secrets', { ...place, namespaces });

/** What the ServiceAccount itself is, and its namespace. */
export const accountObjects = ({ namespace, serviceAccount }: ControllerAccount): readonly KubeObject[] => [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: serviceAccount, namespace } },
];

const joined = (all: readonly Rights[]): Rights => ({
  inNamespaces: all.flatMap(({ inNamespaces }) => inNamespaces),
  ofCluster: all.flatMap(({ ofCluster }) => ofCluster),
  inOwn: all.flatMap(({ inOwn }) => inOwn),
});

function rolesOf(name: string, rights: Rights, place: RolePlace): readonly KubeObject[] {
  const { namespace, namespaces } = place;
  const wide =
    namespaces === undefined
      ? boundRole('ClusterRole', { name }, [...rights.inNamespaces, ...rights.ofCluster], place)
      : namespaces.flatMap((each) =>
          boundRole('Role', { name, namespace: each }, rights.inNamespaces, place),
        );
  return [...wide, ...boundRole('Role', { name: `${name}-own`, namespace }, rights.inOwn, place)];
}

function boundRole(
  kind: 'Role' | 'ClusterRole',
  metadata: JsonObject & { readonly name: string },
  rules: readonly AccessRule[],
  account: ControllerAccount,
): readonly KubeObject[] {
  if (rules.length === 0) return [];
  return [rbac(kind, metadata, { rules: mergedRules(rules) }), boundTo(kind, metadata, account)];
}

const boundTo = (
  kind: 'Role' | 'ClusterRole',
  metadata: JsonObject & { readonly name: string },
  { namespace, serviceAccount }: ControllerAccount,
): KubeObject =>
  rbac(`${kind}Binding`, metadata, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace }],
  });

/** Labels of ClusterRoles that are aggregated into the role of the controllers, for registered kinds; Scoby's too. */
const registeredLabels = ['boathook.dev/registered', 'scoby.triggermesh.io/crdregistration'];
const aggregationRule = {
  clusterRoleSelectors: registeredLabels.map((label) => ({ matchLabels: { [label]: 'true' } })),
};

function registered(account: ControllerAccount): readonly KubeObject[] {
  const metadata = { name: `${account.serviceAccount}-registered` };
  return [
    rbac('ClusterRole', metadata, { aggregationRule, rules: [] }),
    boundTo('ClusterRole', metadata, account),
  ];
}

const rbac = (kind: string, metadata: JsonObject, rest: JsonObject): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata,
  ...rest,
});
