import { textAt } from '#base/json.ts';
import type { Clock } from '#base/time.ts';
import type { AskLog } from '#command/logs/log-client.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { ObjectKey, Resource } from '#kube/resource.ts';
import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { Permissions } from '#web/server/live/permissions.ts';
import type { WatchRequest } from '#web/server/live/watch-request.ts';

/** What a page is read with: the requests of the user. */
export type PageReader = {
  readonly client: KubeClient;
  readonly askLog: AskLog;
  readonly permissions: Pick<Permissions, 'may'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The name of the user. */
  readonly user: string;
};

/** The page of an object that cannot be read: it does not exist, its kind is not installed, or the user has no right. */
export function refusedPage(
  { type, message, status }: Refusal,
  what: string,
  watch: readonly WatchRequest[],
): ReadPage {
  if (type !== 'not-found') return { type: 'refused', message: `${what} cannot be read: ${message}`, watch };
  // A server that knows the kind names the object.
  if (textAt(status, 'details', 'name') !== undefined) return { type: 'gone', watch };
  return {
    type: 'refused',
    message: `${what} cannot be read, because its kind is not installed: boathook crds | kubectl apply -f -`,
    watch,
  };
}

/** One object, whose changes make a page old. */
export const watchOne = (resource: Resource, { namespace = '', name }: ObjectKey): WatchRequest => ({
  resource,
  ...(namespace === '' ? {} : { namespace }),
  name,
});
