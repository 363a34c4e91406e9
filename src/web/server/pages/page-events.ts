import { at, numberAt, textAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import type { WatchRequest } from '#web/server/live/watch-request.ts';
import { about, events } from '#web/server/live/watched-kind.ts';
import type { PageEvent } from '#web/wire/page-event.ts';

/** Events that are shown: the newest. */
const most = 50;

/** The Events about an object. Events about cluster-scoped objects are in the namespace default. */
export type EventsAbout = { readonly kind: string; readonly namespace: string; readonly name: string };

const placeOf = ({ namespace }: EventsAbout): string => (namespace === '' ? 'default' : namespace);

export const watchEvents = (object: EventsAbout): WatchRequest => ({
  resource: events,
  namespace: placeOf(object),
  about: about(object.kind, object.name),
});

/** The newest Events first; none where the user may not list them. */
export const readEvents = async (
  client: Pick<KubeClient, 'list'>,
  wanted: EventsAbout,
  object: KubeObject,
  signal: AbortSignal,
): Promise<readonly PageEvent[]> => pageEvents(await listEvents(client, wanted, signal), object);

/** For a page whose object is read at the same time. */
export async function listEvents(
  client: Pick<KubeClient, 'list'>,
  wanted: EventsAbout,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const fieldSelector = `involvedObject.kind=${wanted.kind},involvedObject.name=${wanted.name}`;
  const listed = await client.list(events, { namespace: placeOf(wanted), fieldSelector }, signal);
  return listed.type === 'ok' ? listed.items : [];
}

export const pageEvents = (listed: readonly KubeObject[], object: KubeObject): readonly PageEvent[] =>
  listed
    .filter((event) => isAbout(event, object))
    .map(pageEvent)
    .toSorted((left, right) => (left.time < right.time ? 1 : -1))
    .slice(0, most);

/** Those of an earlier object of the same name are left out. */
const isAbout = (event: KubeObject, object: KubeObject): boolean =>
  (textAt(event, 'involvedObject', 'uid') ?? uidOf(object)) === uidOf(object);

function pageEvent(event: KubeObject): PageEvent {
  const time =
    textAt(event, 'series', 'lastObservedTime') ??
    textAt(event, 'lastTimestamp') ??
    textAt(event, 'eventTime') ??
    textAt(event, 'metadata', 'creationTimestamp') ??
    '';
  return {
    type: at(event, 'type') === 'Warning' ? 'Warning' : 'Normal',
    reason: textAt(event, 'reason') ?? '',
    message: textAt(event, 'message') ?? '',
    count: numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? 1,
    time,
  };
}
