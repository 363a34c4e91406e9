import type { Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { Permissions } from '#web/server/live/permissions.ts';
import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { WatchRequest } from '#web/server/live/informer-pool.ts';

/** What a page is read with: the requests of the user. */
export type PageReader = {
  readonly client: KubeClient;
  readonly permissions: Pick<Permissions, 'may'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The name of the user. */
  readonly user: string;
};

/** The page of an object that the server refuses. A definition that is missing is told by another message. */
export function refusedPage(
  { type, message }: Pick<Refusal, 'type' | 'message'>,
  what: string,
  watch: readonly WatchRequest[],
): ReadPage {
  if (type === 'not-found') return { type: 'gone', watch };
  return { type: 'refused', message: `${what} cannot be read: ${message}`, watch };
}
