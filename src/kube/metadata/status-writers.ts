import { listAt, objectAt, textAt } from '#base/json.ts';
import { parseTime, type Instant } from '#base/time.ts';
import type { WithMetadata } from '#kube/object.ts';

/** A field manager of a status, and when it last wrote it. */
export type StatusManager = { readonly manager: string; readonly time: Instant };

/** The field managers of the status of an object. */
export const statusWriters = ({ metadata }: WithMetadata): readonly StatusManager[] =>
  listAt(metadata, 'managedFields').flatMap((entry) => {
    const manager = textAt(entry, 'manager');
    const time = parseTime(textAt(entry, 'time') ?? '');
    const isOfStatus = objectAt(entry, 'fieldsV1', 'f:status') !== undefined;
    return manager === undefined || time === undefined || !isOfStatus ? [] : [{ manager, time }];
  });

/** The original operators of the kinds that we share, by their field managers. */
const originals: ReadonlySet<string> = new Set([
  'bcs-gamedeployment-operator',
  'bcs-gamestatefulset-operator',
  'bcs-hook-operator',
  'scoby-controller',
  'tke-platform-controller',
]);

export const isOriginalOperator = (manager: string): boolean => originals.has(manager);

/** Whether a field manager belongs to Boathook, or to a person with kubectl. */
export const isHarmlessManager = (manager: string): boolean =>
  manager.startsWith('boathook') || manager.startsWith('kubectl');
