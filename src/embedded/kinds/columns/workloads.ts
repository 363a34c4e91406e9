import { at, listAt, textAt } from '#base/json.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import { labelsText, numberCell } from './cells.ts';
import {
  ageColumn,
  integerColumn,
  nameColumn,
  withNameAndAge,
  textColumn,
  wideColumn,
  type Column,
} from './column.ts';
import { selectorText } from './selector-text.ts';
import { readyOfDesired, selectorColumn, templateColumns } from './workload-columns.ts';

const readyDescription = 'Number of the pod with ready state';

export const deploymentColumns: readonly Column[] = [
  nameColumn,
  textColumn('Ready', readyDescription, readyOfDesired),
  textColumn(
    'Up-to-date',
    'Total number of non-terminated pods targeted by this deployment that have the desired template spec.',
    numberCell('status', 'updatedReplicas'),
  ),
  textColumn(
    'Available',
    'Total number of available pods (ready for at least minReadySeconds) targeted by this deployment.',
    numberCell('status', 'availableReplicas'),
  ),
  ageColumn,
  ...templateColumns('spec', 'template'),
  wideColumn(
    'Selector',
    'Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment.',
    (it) => selectorText(at(it, 'spec', 'selector')),
  ),
];

const replicaColumns: readonly Column[] = [
  nameColumn,
  integerColumn('Desired', 'How many pods are wanted.', numberCell('spec', 'replicas')),
  integerColumn('Current', 'How many pods were observed.', numberCell('status', 'replicas')),
  integerColumn('Ready', 'How many of the observed pods are ready.', numberCell('status', 'readyReplicas')),
  ageColumn,
  ...templateColumns('spec', 'template'),
];

export const replicaSetColumns: readonly Column[] = [
  ...replicaColumns,
  selectorColumn('The selector of the pods that are counted.', 'spec', 'selector'),
];

/** Here the selector is a plain map of labels. */
export const replicationControllerColumns: readonly Column[] = [
  ...replicaColumns,
  wideColumn('Selector', 'The labels of the pods that are counted.', (it) =>
    labelsText(at(it, 'spec', 'selector')),
  ),
];

export const statefulSetColumns: readonly Column[] = [
  nameColumn,
  textColumn('Ready', readyDescription, readyOfDesired),
  ageColumn,
  ...templateColumns('spec', 'template'),
];

export const daemonSetColumns: readonly Column[] = [
  nameColumn,
  integerColumn(
    'Desired',
    'How many nodes should run the pod.',
    numberCell('status', 'desiredNumberScheduled'),
  ),
  integerColumn('Current', 'How many of these nodes run it.', numberCell('status', 'currentNumberScheduled')),
  integerColumn('Ready', 'On how many nodes it is ready.', numberCell('status', 'numberReady')),
  integerColumn(
    'Up-to-date',
    'On how many nodes it is the newest.',
    numberCell('status', 'updatedNumberScheduled'),
  ),
  integerColumn('Available', 'On how many nodes it is available.', numberCell('status', 'numberAvailable')),
  textColumn('Node Selector', 'The labels a node needs to run the pod.', (it) =>
    labelsText(at(it, 'spec', 'template', 'spec', 'nodeSelector')),
  ),
  ageColumn,
  ...templateColumns('spec', 'template'),
  selectorColumn('The selector of the pods that are counted.', 'spec', 'selector'),
];

export const controllerRevisionColumns: readonly Column[] = withNameAndAge(
  textColumn('Controller', 'Whose revision it is.', controllerText),
  textColumn('Revision', 'The number of the revision.', numberCell('revision')),
);

/** `statefulset.apps/web`. */
function controllerText(object: KubeObject): string {
  const owner = listAt(metaOf(object), 'ownerReferences').find((each) => at(each, 'controller') === true);
  if (owner === undefined) return '<none>';
  const [group, version] = (textAt(owner, 'apiVersion') ?? '').split('/');
  const kind = textAt(owner, 'kind') ?? '';
  const qualified = version === undefined ? kind : `${kind}.${group}`;
  return `${qualified.toLowerCase()}/${textAt(owner, 'name') ?? ''}`;
}
