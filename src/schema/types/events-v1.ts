import type { TypePackage } from './type-package.ts';

/** Every type of events.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const eventsV1: TypePackage = {
  name: 'io.k8s.api.events.v1',
  alias: 'events',
  group: 'events.k8s.io',
  version: 'v1',
  lines: `
Event kind
 metadata 1 meta.ObjectMeta+
 eventTime 2 meta.MicroTime
 series 3 *EventSeries?
 reportingController 4 string?
 reportingInstance 5 string?
 action 6 string?
 reason 7 string?
 regarding 8 core.ObjectReference?
 related 9 *core.ObjectReference?
 note 10 string?
 type 11 string?
 deprecatedSource 12 core.EventSource?
 deprecatedFirstTimestamp 13 meta.Time?
 deprecatedLastTimestamp 14 meta.Time?
 deprecatedCount 15 int32?
EventList kind
 metadata 1 meta.ListMeta?
 items 2 []Event
EventSeries
 count 1 int32
 lastObservedTime 2 meta.MicroTime
`,
};
