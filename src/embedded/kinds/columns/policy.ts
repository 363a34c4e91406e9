import { at, isObject, type Json } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { isSet, numberCell, quantityText, scalarText, textCell } from './cells.ts';
import {
  ageColumn,
  booleanColumn,
  integerColumn,
  nameColumn,
  withNameAndAge,
  textColumn,
  type Cell,
  type Column,
} from './column.ts';

export const podDisruptionBudgetColumns: readonly Column[] = withNameAndAge(
  textColumn('Min Available', 'How many pods must stay available.', limitCell('minAvailable')),
  textColumn('Max Unavailable', 'How many pods may be unavailable.', limitCell('maxUnavailable')),
  integerColumn(
    'Allowed Disruptions',
    'How many pods may be disrupted now.',
    numberCell('status', 'disruptionsAllowed'),
  ),
);

export const priorityClassColumns: readonly Column[] = [
  nameColumn,
  integerColumn('Value', 'The priority of pods of this class.', numberCell('value')),
  booleanColumn(
    'Global-Default',
    'Whether pods without a class get this one.',
    (it) => it['globalDefault'] === true,
  ),
  ageColumn,
  textColumn('PreemptionPolicy', 'Whether such pods push others away.', textCell('preemptionPolicy')),
];

/** In Kubernetes 1.32 the age comes second; from 1.33 on it is the last. */
export const resourceQuotaColumns: readonly Column[] = [
  nameColumn,
  ageColumn,
  textColumn('Request', 'What is used of each request and each count.', (it) => quotaText(it, false)),
  textColumn('Limit', 'What is used of each limit.', (it) => quotaText(it, true)),
];

function limitCell(member: string): Cell {
  return (budget) => {
    const limit = at(budget, 'spec', member);
    return isSet(limit) ? scalarText(limit) : 'N/A';
  };
}

/** `cpu: 1/4, memory: 2Gi/8Gi`, sorted by name. */
function quotaText(quota: KubeObject, limits: boolean): string {
  const hard: Json | undefined = at(quota, 'status', 'hard');
  if (!isObject(hard)) return '';
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === limits)
    .sort()
    .map((name) => `${name}: ${quantityText(at(quota, 'status', 'used', name))}/${quantityText(hard[name])}`)
    .join(', ');
}
