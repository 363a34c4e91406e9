import { momentOf } from '#base/age.ts';
import { formatTime } from '#base/time.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import { ageDescription, nameColumn, type Column } from './column.ts';

/** The table of kinds that have none of their own: roles, limit ranges, custom resource definitions. */
export const defaultColumns: readonly Column[] = [
  nameColumn,
  {
    name: 'Created At',
    type: 'date',
    format: '',
    description: ageDescription,
    priority: 0,
    cell: createdAt,
  },
];

/** Go writes the year 1 for a time that was never set. */
function createdAt(object: KubeObject): string {
  const moment = momentOf(metaOf(object)['creationTimestamp']);
  return moment === undefined ? '0001-01-01T00:00:00Z' : formatTime(moment);
}
