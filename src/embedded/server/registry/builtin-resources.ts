/** The built-in resources in the order in which discovery lists them. */
export type BuiltinResource = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  /** Group and version under which the objects are stored, when it is not this one. */
  readonly storedAs: { readonly group: string; readonly version: string };
};

export const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const onlyCreate = ['create'];

/**
 * group/version: one line per resource: plural Kind [ns|cluster] [short=a,b] [cat=all] [verbs=…] [sub=a,b] [as=group/version].
 * Verbs are all eight unless the line says otherwise.
 */
const table: readonly (readonly [groupVersion: string, lines: string])[] = [
  [
    '/v1',
    `bindings Binding ns verbs=create
     componentstatuses ComponentStatus cluster short=cs verbs=get,list
     configmaps ConfigMap ns short=cm
     endpoints Endpoints ns short=ep
     events Event ns short=ev
     limitranges LimitRange ns short=limits
     namespaces Namespace cluster short=ns verbs=create,delete,get,list,patch,update,watch sub=finalize,status
     nodes Node cluster short=no sub=proxy,status
     persistentvolumeclaims PersistentVolumeClaim ns short=pvc sub=status
     persistentvolumes PersistentVolume cluster short=pv sub=status
     pods Pod ns short=po cat=all sub=attach,binding,ephemeralcontainers,eviction,exec,log,portforward,proxy,status
     podtemplates PodTemplate ns
     replicationcontrollers ReplicationController ns short=rc cat=all sub=scale,status
     resourcequotas ResourceQuota ns short=quota sub=status
     secrets Secret ns
     serviceaccounts ServiceAccount ns short=sa sub=token
     services Service ns short=svc cat=all sub=proxy,status`,
  ],
  ['events.k8s.io/v1', `events Event ns short=ev as=/v1`],
  [
    'authentication.k8s.io/v1',
    'selfsubjectreviews SelfSubjectReview cluster verbs=create\n tokenreviews TokenReview cluster verbs=create',
  ],
  [
    'authorization.k8s.io/v1',
    `localsubjectaccessreviews LocalSubjectAccessReview ns verbs=create
     selfsubjectaccessreviews SelfSubjectAccessReview cluster verbs=create
     selfsubjectrulesreviews SelfSubjectRulesReview cluster verbs=create
     subjectaccessreviews SubjectAccessReview cluster verbs=create`,
  ],
  ['autoscaling/v2', 'horizontalpodautoscalers HorizontalPodAutoscaler ns short=hpa cat=all sub=status'],
  [
    'autoscaling/v1',
    'horizontalpodautoscalers HorizontalPodAutoscaler ns short=hpa cat=all sub=status as=autoscaling/v2',
  ],
  ['batch/v1', 'cronjobs CronJob ns short=cj cat=all sub=status\n jobs Job ns cat=all sub=status'],
  [
    'apps/v1',
    `controllerrevisions ControllerRevision ns
     daemonsets DaemonSet ns short=ds cat=all sub=status
     deployments Deployment ns short=deploy cat=all sub=scale,status
     replicasets ReplicaSet ns short=rs cat=all sub=scale,status
     statefulsets StatefulSet ns short=sts cat=all sub=scale,status`,
  ],
  [
    'networking.k8s.io/v1',
    `ingressclasses IngressClass cluster
     ingresses Ingress ns short=ing sub=status
     networkpolicies NetworkPolicy ns short=netpol`,
  ],
  ['policy/v1', 'poddisruptionbudgets PodDisruptionBudget ns short=pdb sub=status'],
  [
    'rbac.authorization.k8s.io/v1',
    `clusterrolebindings ClusterRoleBinding cluster
     clusterroles ClusterRole cluster
     rolebindings RoleBinding ns
     roles Role ns`,
  ],
  ['storage.k8s.io/v1', 'storageclasses StorageClass cluster short=sc'],
  [
    'apiextensions.k8s.io/v1',
    'customresourcedefinitions CustomResourceDefinition cluster short=crd,crds cat=api-extensions sub=status',
  ],
  ['scheduling.k8s.io/v1', 'priorityclasses PriorityClass cluster short=pc'],
  ['coordination.k8s.io/v1', 'leases Lease ns'],
  ['discovery.k8s.io/v1', 'endpointslices EndpointSlice ns'],
];

/** Plurals whose singular is not the kind in lower case. */
const singulars: Readonly<Record<string, string>> = {};

export const builtinResources: readonly BuiltinResource[] = table.flatMap(([groupVersion, lines]) =>
  lines.split('\n').map((line) => parseLine(groupVersion, line.trim().split(/\s+/))),
);

function parseLine(groupVersion: string, words: readonly string[]): BuiltinResource {
  const [plural = '', kind = '', scope = '', ...options] = words;
  const option = (name: string): readonly string[] => {
    const text = options.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
    return text === undefined ? [] : text.split(',');
  };
  const verbs = option('verbs');
  return {
    ...split(groupVersion),
    plural,
    kind,
    singular: singulars[plural] ?? kind.toLowerCase(),
    namespaced: scope === 'ns',
    verbs: verbs.length > 0 ? verbs : allVerbs,
    shortNames: option('short'),
    categories: option('cat'),
    subresources: option('sub'),
    storedAs: split(option('as')[0] ?? groupVersion),
  };
}

function split(groupVersion: string): { group: string; version: string } {
  const [group = '', version = ''] = groupVersion.split('/');
  return { group, version };
}

/** What a subresource speaks: its kind (with group and version when they differ from the parent's) and verbs. */
export type SubresourceInfo = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
};

const getPatchUpdate = ['get', 'patch', 'update'];
const proxied = ['create', 'delete', 'get', 'patch', 'update'];

const subresourceKinds: Readonly<Record<string, SubresourceInfo>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: getPatchUpdate },
  status: { group: '', version: '', kind: '', verbs: getPatchUpdate },
  ephemeralcontainers: { group: '', version: '', kind: '', verbs: getPatchUpdate },
  finalize: { group: '', version: '', kind: '', verbs: ['update'] },
  log: { group: '', version: '', kind: '', verbs: ['get'] },
  binding: { group: '', version: '', kind: 'Binding', verbs: onlyCreate },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction', verbs: onlyCreate },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: onlyCreate },
  attach: { group: '', version: '', kind: 'PodAttachOptions', verbs: ['create', 'get'] },
  exec: { group: '', version: '', kind: 'PodExecOptions', verbs: ['create', 'get'] },
  portforward: { group: '', version: '', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
};

/** `kind` empty: the parent's own kind. */
export function subresourceInfo(parentKind: string, name: string): SubresourceInfo {
  if (name === 'proxy') return { group: '', version: '', kind: `${parentKind}ProxyOptions`, verbs: proxied };
  const info = subresourceKinds[name];
  if (info === undefined) throw new Error(`no such subresource: ${name}`);
  return info.kind === '' ? { ...info, kind: parentKind } : info;
}
