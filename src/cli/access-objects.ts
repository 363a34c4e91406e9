import type { Json, JsonObject } from '#base/json.ts';
import { cluster } from '#machines/kinds/cluster.ts';
import { machine } from '#machines/kinds/machine.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { gameDeployment } from '#releases/kinds/game-deployment.ts';
import { gameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import { hookRun } from '#hooks/kinds/hook-run.ts';
import { hookTemplate } from '#hooks/kinds/hook-template.ts';
import type { Kind } from '#schema/kind/kind.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ControlName } from './start-controllers.ts';

/** A PolicyRule of a role. */
type Rule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
};

/** The ServiceAccount of the controllers. */
export type ControllerAccount = { readonly namespace: string; readonly serviceAccount: string };

/** Labels of ClusterRoles that are aggregated into the role of the controllers, for registered kinds; Scoby's too. */
const registeredLabels = ['boathook.dev/registered', 'scoby.triggermesh.io/crdregistration'];

const see = ['get', 'list', 'watch'];
const rule = (group: string, resources: readonly string[], verbs: readonly string[]): Rule => ({
  apiGroups: [group],
  resources,
  verbs,
});
/** Reads objects and writes their status. `finalizers`: owner references with `blockOwnerDeletion` need it. */
const kept = ({ group, plural }: Kind, verbs: readonly string[] = []): readonly Rule[] => [
  rule(group, [plural], [...see, ...verbs]),
  rule(group, [`${plural}/status`, `${plural}/finalizers`], ['update', 'patch']),
];
const asked = (verbs: readonly string[]): readonly Rule[] => [
  rule(hookTemplate.group, [hookTemplate.plural], see),
  rule(hookRun.group, [hookRun.plural], [...see, ...verbs]),
];

const workload = (kind: Kind): readonly Rule[] => [
  ...kept(kind, ['update', 'patch']),
  ...asked(['create', 'patch', 'delete']),
  rule('', ['pods'], [...see, 'create', 'update', 'patch', 'delete']),
  rule('', ['pods/status'], ['patch']),
  rule('', ['nodes'], see),
  rule('', ['namespaces'], ['get']),
  rule('apps', ['controllerrevisions'], [...see, 'create', 'update', 'patch', 'delete']),
  rule('policy', ['poddisruptionbudgets'], see),
];

/** The rules that each controller needs in all namespaces. */
const rulesOf: Readonly<Record<ControlName, readonly Rule[]>> = {
  hookrun: [
    ...kept(hookRun, ['patch']),
    rule('', ['secrets'], ['get']),
    // The providers kubernetes, job and machine act with the rights of the run's own ServiceAccount.
    rule('', ['serviceaccounts'], ['impersonate']),
    rule(cluster.group, [cluster.plural, machine.plural], ['get', 'list']),
    rule(cluster.group, [`${cluster.plural}/status`], ['patch']),
  ],
  hooktemplate: kept(hookTemplate),
  gamedeployment: workload(gameDeployment),
  gamestatefulset: [
    ...workload(gameStatefulSet),
    rule('', ['persistentvolumeclaims'], [...see, 'create', 'update', 'patch', 'delete']),
  ],
  crdregistration: [
    ...kept(crdRegistration, ['patch']),
    ...asked(['create', 'delete']),
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], see),
    rule('apps', ['deployments'], [...see, 'create', 'patch', 'delete']),
    rule('', ['services', 'serviceaccounts'], [...see, 'create', 'patch', 'delete']),
    rule('serving.knative.dev', ['services'], [...see, 'create', 'patch', 'delete']),
    rule('', ['endpoints'], ['get']),
  ],
  cluster: [
    ...kept(cluster, ['patch']),
    rule(machine.group, [machine.plural], [...see, 'patch', 'delete']),
    rule(machine.group, [`${machine.plural}/status`], ['update', 'patch']),
    ...asked(['create', 'delete']),
    rule('', ['secrets'], ['get']),
  ],
  machine: [
    ...kept(machine, ['patch']),
    rule(cluster.group, [cluster.plural], see),
    ...asked(['create', 'delete']),
    rule('', ['secrets'], ['get']),
  ],
};

const artifacts = rule('', ['secrets'], ['get', 'create', 'patch', 'delete']);

/** The rules that they need in their own namespace. */
const ownRulesOf: Readonly<Partial<Record<ControlName, readonly Rule[]>>> = {
  crdregistration: [rule('', ['secrets', 'configmaps'], see)],
  cluster: [artifacts],
  machine: [artifacts],
};

/** The ServiceAccount, roles and bindings that the named controllers need, for `kubectl apply`. */
export function accessObjects(
  names: ReadonlySet<ControlName>,
  place: ControllerAccount,
): readonly KubeObject[] {
  const { namespace, serviceAccount: name } = place;
  const chosen = (Object.keys(rulesOf) as ControlName[]).filter((each) => names.has(each));
  const rules = merged([
    ...chosen.flatMap((each) => rulesOf[each]),
    rule('', ['events'], ['create', 'patch']),
  ]);
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const registered = `${name}-registered`;
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    rbac('ClusterRole', { name }, { rules }),
    bound('ClusterRoleBinding', { name }, { kind: 'ClusterRole', name }, subjects),
    rbac(
      'Role',
      { name, namespace },
      { rules: merged([...chosen.flatMap((each) => ownRulesOf[each] ?? []), leases]) },
    ),
    bound('RoleBinding', { name, namespace }, { kind: 'Role', name }, subjects),
    ...(names.has('crdregistration')
      ? [
          rbac('ClusterRole', { name: registered }, { aggregationRule, rules: [] }),
          bound(
            'ClusterRoleBinding',
            { name: registered },
            { kind: 'ClusterRole', name: registered },
            subjects,
          ),
        ]
      : []),
  ];
}

const leases = rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']);
const aggregationRule = {
  clusterRoleSelectors: registeredLabels.map((label) => ({ matchLabels: { [label]: 'true' } })),
};

/** Joins the rules of a resource, in a fixed order. */
function merged(rules: readonly Rule[]): readonly Json[] {
  const verbs = new Map<string, Set<string>>();
  for (const each of rules)
    for (const resource of each.resources) {
      const key = `${each.apiGroups[0]}/${resource}`;
      verbs.set(key, new Set([...(verbs.get(key) ?? []), ...each.verbs]));
    }
  return [...verbs]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, allowed]) => {
      const slash = key.indexOf('/');
      return {
        apiGroups: [key.slice(0, slash)],
        resources: [key.slice(slash + 1)],
        verbs: [...allowed].toSorted(),
      };
    });
}

const version = 'rbac.authorization.k8s.io/v1';
const rbac = (kind: string, metadata: JsonObject, rest: JsonObject): KubeObject => ({
  apiVersion: version,
  kind,
  metadata,
  ...rest,
});
const bound = (
  kind: string,
  metadata: JsonObject,
  role: { readonly kind: string; readonly name: string },
  subjects: readonly JsonObject[],
): KubeObject =>
  rbac(kind, metadata, { roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...role }, subjects });
