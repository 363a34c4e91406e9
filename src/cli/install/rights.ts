import { cluster } from '#machines/kinds/cluster.ts';
import { machine } from '#machines/kinds/machine.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { gameDeployment } from '#releases/kinds/game-deployment.ts';
import { gameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import { hookRun } from '#hooks/kinds/hook-run.ts';
import { hookTemplate } from '#hooks/kinds/hook-template.ts';
import type { Kind } from '#schema/kind/kind.ts';
import { accessRule as rule, type AccessRule } from './access-rule.ts';
import type { ControlName } from './control-names.ts';

/** What a part of Boathook may do, by where a Role can grant it. */
export type Rights = {
  /** On objects in the namespaces of users: a ClusterRole, or a Role in each of them. */
  readonly inNamespaces: readonly AccessRule[];
  /** On cluster-scoped objects: only a ClusterRole can grant it. */
  readonly ofCluster: readonly AccessRule[];
  /** In the namespace of the controllers. */
  readonly inOwn: readonly AccessRule[];
};

const see = ['get', 'list', 'watch'];
const none: Rights = { inNamespaces: [], ofCluster: [], inOwn: [] };

/** Reads objects and writes their status. */
const kept = ({ group, plural }: Kind, verbs: readonly string[] = []): readonly AccessRule[] => [
  rule(group, [plural], [...see, ...verbs]),
  rule(group, [`${plural}/status`], ['update']),
];
/** Objects with `blockOwnerDeletion` in their owner references need it on the owner. */
const owned = ({ group, plural }: Kind): AccessRule => rule(group, [`${plural}/finalizers`], ['update']);
const asked = (verbs: readonly string[]): readonly AccessRule[] => [
  rule(hookTemplate.group, [hookTemplate.plural], see),
  rule(hookRun.group, [hookRun.plural], [...see, ...verbs]),
];
const events = rule('', ['events'], ['create', 'patch']);
/** Readers of logs are checked by the API server; clients find out where logs are served. */
const reviews = [
  rule('authentication.k8s.io', ['tokenreviews'], ['create']),
  rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
];
const endpoint = rule('', ['configmaps'], ['create', 'patch']);
const artifacts = rule('', ['secrets'], ['get', 'create', 'patch', 'delete']);

const ofWorkload = (kind: Kind): Rights => ({
  inNamespaces: [
    events,
    ...kept(kind, ['patch']),
    owned(kind),
    ...asked(['create', 'patch', 'delete']),
    rule('', ['pods'], [...see, 'create', 'patch', 'delete']),
    rule('', ['pods/status'], ['patch']),
    // A Role in a namespace also grants rights on the Namespace itself.
    rule('', ['namespaces'], ['get']),
    rule('apps', ['controllerrevisions'], [...see, 'create', 'update', 'patch', 'delete']),
    rule('policy', ['poddisruptionbudgets'], see),
  ],
  ofCluster: [rule('', ['nodes'], see)],
  inOwn: [],
});
const ofSet = ofWorkload(gameStatefulSet);

/** The rights that each controller needs. */
export const rightsOf: Readonly<Record<ControlName, Rights>> = {
  hookrun: { ...none, inNamespaces: [events, ...kept(hookRun, ['patch', 'delete'])] },
  hooktemplate: { ...none, inNamespaces: [events, ...kept(hookTemplate)] },
  gamedeployment: ofWorkload(gameDeployment),
  gamestatefulset: {
    ...ofSet,
    inNamespaces: [...ofSet.inNamespaces, rule('', ['persistentvolumeclaims'], [...see, 'create'])],
  },
  crdregistration: {
    inNamespaces: [
      events,
      ...asked(['create', 'delete']),
      rule('apps', ['deployments'], [...see, 'create', 'patch', 'delete']),
      rule('', ['services', 'serviceaccounts'], [...see, 'create', 'patch', 'delete']),
      rule('serving.knative.dev', ['services'], [...see, 'create', 'patch', 'delete']),
      rule('', ['endpoints'], ['get']),
    ],
    ofCluster: [
      ...kept(crdRegistration, ['patch']),
      rule('apiextensions.k8s.io', ['customresourcedefinitions'], see),
      ...reviews,
    ],
    inOwn: [rule('', ['secrets', 'configmaps'], see), endpoint],
  },
  cluster: {
    inNamespaces: [events, ...asked(['create', 'delete'])],
    ofCluster: [
      ...kept(cluster, ['patch']),
      owned(cluster),
      rule(machine.group, [machine.plural], [...see, 'patch', 'delete']),
      rule(machine.group, [`${machine.plural}/status`], ['update', 'patch']),
      ...reviews,
    ],
    inOwn: [artifacts, endpoint],
  },
  machine: {
    inNamespaces: [events, ...asked(['create', 'delete'])],
    // HookRuns with the provider machine take their turn in the status of the Cluster.
    ofCluster: [
      ...kept(machine, ['patch']),
      owned(machine),
      rule(cluster.group, [cluster.plural], see),
      rule(cluster.group, [`${cluster.plural}/status`], ['patch']),
      ...reviews,
    ],
    inOwn: [artifacts, endpoint],
  },
};

/** What all controllers need, whichever run. */
export const commonRights: Rights = {
  ...none,
  inOwn: [
    rule('coordination.k8s.io', ['leases'], ['get', 'list', 'create', 'update']),
    rule('', ['namespaces'], ['get']),
  ],
};

/** Rights that nothing has unless an administrator adds them. */
export const grants = {
  /** The providers kubernetes, job and machine act as the ServiceAccount of the run. */
  impersonation: { ...none, inNamespaces: [rule('', ['serviceaccounts'], ['impersonate'])] },
  secrets: { ...none, inNamespaces: [rule('', ['secrets'], ['get'])] },
} as const satisfies Readonly<Record<string, Rights>>;
export type GrantName = keyof typeof grants;
export const grantNames = Object.keys(grants) as readonly GrantName[];
