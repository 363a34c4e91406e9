import { ageSince, momentOf } from '#base/age.ts';
import { numberAt, objectAt, textAt, type Json } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { textCell } from './cells.ts';
import { nameColumn, textColumn, wideColumn, type Column } from './column.ts';

/** One table for both APIs: events.k8s.io names the same fields `regarding`, `note` and `deprecated…`. */
export const eventColumns: readonly Column[] = [
  textColumn(
    'Last Seen',
    'The time at which the most recent occurrence of this event was recorded.',
    lastSeen,
  ),
  textColumn(
    'Type',
    'Type of this event (Normal, Warning), new types could be added in the future',
    textCell('type'),
  ),
  textColumn(
    'Reason',
    "This should be a short, machine understandable string that gives the reason for the transition into the object's current status.",
    textCell('reason'),
  ),
  textColumn('Object', 'The object that this event is about.', targetText),
  wideColumn(
    'Subobject',
    'If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access statement, such as desiredState.manifest.containers[2]. For example, if the object reference is to a container within a pod, this would take on a value like: "spec.containers{name}" (where "name" refers to the name of the container that triggered the event) or if no container name is specified "spec.containers[2]" (container with index 2 in this pod). This syntax is chosen only to have some well-defined way of referencing a part of an object.',
    (event) => textAt(targetOf(event), 'fieldPath') ?? '',
  ),
  wideColumn(
    'Source',
    'The component reporting this event. Should be a short machine understandable string.',
    sourceText,
  ),
  textColumn('Message', 'A human-readable description of the status of this operation.', (event) =>
    (textAt(event, 'message') ?? textAt(event, 'note') ?? '').trim(),
  ),
  wideColumn(
    'First Seen',
    'The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)',
    (event, now) => ageSince(firstSeen(event), now),
  ),
  wideColumn('Count', 'The number of times this event has occurred.', countOf),
  { ...nameColumn, priority: 1 },
];

const either = (event: KubeObject, core: string, other: string): Json | undefined =>
  event[core] ?? event[other];
const targetOf = (event: KubeObject): Json | undefined => either(event, 'involvedObject', 'regarding');

function firstSeen(event: KubeObject): Instant | undefined {
  return (
    momentOf(either(event, 'firstTimestamp', 'deprecatedFirstTimestamp')) ?? momentOf(event['eventTime'])
  );
}

function lastSeen(event: KubeObject, now: Instant): string {
  const series = objectAt(event, 'series');
  if (series !== undefined) return ageSince(momentOf(series['lastObservedTime']), now);
  const last = momentOf(either(event, 'lastTimestamp', 'deprecatedLastTimestamp'));
  return ageSince(last ?? firstSeen(event), now);
}

/** An event of the new API that happened once has no count. */
function countOf(event: KubeObject): number {
  const series = objectAt(event, 'series');
  if (series !== undefined) return numberAt(series, 'count') ?? 0;
  const count = either(event, 'count', 'deprecatedCount');
  return typeof count === 'number' && count !== 0 ? count : 1;
}

function targetText(event: KubeObject): string {
  const target = targetOf(event);
  const kind = (textAt(target, 'kind') ?? '').toLowerCase();
  const name = textAt(target, 'name');
  return name ? `${kind}/${name}` : kind;
}

function sourceText(event: KubeObject): string {
  const source = either(event, 'source', 'deprecatedSource');
  const reporter = either(event, 'reportingComponent', 'reportingController');
  const component = textAt(source, 'component') || (typeof reporter === 'string' ? reporter : '');
  const instance = textAt(source, 'host') || textAt(event, 'reportingInstance');
  return instance ? `${component}, ${instance}` : component;
}
