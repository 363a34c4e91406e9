import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Traces } from './traces.ts';

/** What Boathook has in the cluster, and how it is removed. */
export const traceLines = (server: string, traces: Traces): readonly string[] => [
  `${server}: Boathook in namespace ${traces.namespace}`,
  '',
  ...found(traces),
  '',
  'To remove the controllers and keep all objects (pods keep running; nobody updates or replaces them):',
  `  ${removal(traces)}`,
  ...finalizerLines(traces),
  ...kindLines(traces),
  '',
  'What stays:',
  ...staying(traces).map((line) => `  ${line}`),
];

const removal = ({ namespace }: Traces): string =>
  `boathook uninstall --print${namespace === 'boathook-system' ? '' : ` --namespace ${namespace}`} | kubectl delete --ignore-not-found -f -`;

function found(traces: Traces): readonly string[] {
  const { isInstalled, leader, kinds, podCount, finalized } = traces;
  const row = (title: string, text: string): string => `  ${title.padEnd(12)} ${text}`;
  const running = leader === undefined ? 'no leader' : `the leader is ${leader.holder}`;
  return [
    row('controllers', `${isInstalled ? 'installed' : 'not installed here'}, ${running}`),
    row(
      'objects',
      kinds.length === 0 ? 'none' : kinds.map(({ kind, count }) => `${kind} ${count}`).join(', '),
    ),
    row('pods', `${podCount} of GameDeployments and GameStatefulSets`),
    row('finalizers', finalized.length === 0 ? 'none' : `${finalized.length} objects`),
  ];
}

function finalizerLines({ finalized, namespace }: Traces): readonly string[] {
  if (finalized.length === 0) return [];
  const flag = namespace === 'boathook-system' ? '' : ` --namespace ${namespace}`;
  return [
    '',
    'These objects have a finalizer of Boathook. Once the controllers are gone they cannot be deleted until it is removed:',
    ...some(
      finalized,
      (each) => `  ${each.resource.plural} ${placeOf(each.object)} (${each.finalizers.join(', ')})`,
    ),
    `  boathook uninstall --release${flag}   removes the finalizers; no hook and no script runs then`,
  ];
}

function kindLines(traces: Traces): readonly string[] {
  const has = (kind: string): boolean => traces.kinds.some((each) => each.kind === kind);
  const steps = [
    ...(has('GameDeployment') || has('GameStatefulSet')
      ? [
          'kubectl delete gamedeployments.tkex.tencent.com,gamestatefulsets.tkex.tencent.com --all --all-namespaces --cascade=orphan',
        ]
      : []),
    ...(has('CRDRegistration') ? ['kubectl delete crdregistrations.scoby.triggermesh.io --all'] : []),
    removal(traces),
    'boathook uninstall --release',
    'boathook crds | kubectl delete --ignore-not-found -f -',
    `kubectl delete namespace ${traces.namespace}`,
  ];
  return [
    '',
    'To remove the kinds as well, in this order. Without the first step the pods of workloads are deleted with their kind:',
    ...steps.map((step, at) => `  ${at + 1}. ${step}`),
  ];
}

const staying = ({ grants }: Traces): readonly string[] => [
  'pods, their ControllerRevisions and PersistentVolumeClaims; workloads that registrations made, with their instances',
  'machines as they are: nothing runs on them; scripts and records are in /var/lib/boathook of each',
  'Secrets, ConfigMaps and ClusterRoles that you created for Boathook, such as those with the label boathook.dev/registered',
  ...some(grants, (grant) => `${grant}: kubectl delete it, and its Role`),
];

const most = 10;

function some<T>(items: readonly T[], line: (item: T) => string): readonly string[] {
  const more = items.length - most;
  return [...items.slice(0, most).map(line), ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** The name of an object, with its namespace if it has one. */
export const placeOf = (object: KubeObject): string =>
  namespaceOf(object) === '' ? nameOf(object) : `${namespaceOf(object)}/${nameOf(object)}`;
