import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import type { SignedInUser } from './signed-in-user.ts';
import type { Overview } from '#web/wire/overview.ts';
import { topicText, type Topic } from '#web/wire/topic.ts';
import { readPage } from '#web/server/pages/read-page.ts';
import { ClusterHealth } from '#web/server/live/cluster-health.ts';
import { feedOf, type Feed } from '#web/server/live/feed.ts';
import { Feeds } from '#web/server/live/feeds.ts';
import { KeptEvents } from '#web/server/live/kept-events.ts';
import type { UserIdentity } from '#web/server/live/user-identity.ts';
import { InformerPool } from '#web/server/live/informer-pool.ts';
import { OverviewFeed } from '#web/server/live/overview-feed.ts';
import { OutputFeed } from '#web/server/live/output-feed.ts';
import { PageFeed } from '#web/server/live/page-feed.ts';
import { Permissions } from '#web/server/live/permissions.ts';

type IdentitiesDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly examples: Overview['examples'];
  readonly namespace: string;
  readonly report: (problem: unknown) => void;
  /** The cluster does not accept the credentials of an identity any more. */
  readonly onUnauthorized: (identity: string, message: string) => void;
};

type Kept = { readonly identity: UserIdentity; sessions: number; close(): Promise<void> };

type FeedParts = Pick<UserIdentity, 'client' | 'pool' | 'permissions' | 'user'> &
  Pick<SignedInUser, 'askLog'>;

/** The users that are signed in. Sessions of one user share watches. */
export class Identities {
  readonly #deps: IdentitiesDeps;
  readonly #kept = new Map<string, Kept>();

  constructor(deps: IdentitiesDeps) {
    this.#deps = deps;
  }

  /** Counts a session of the user. Of a user that is known, the client of the first session is used. */
  join(user: SignedInUser): UserIdentity {
    const known = this.#kept.get(user.key);
    if (known !== undefined) {
      known.sessions += 1;
      void user.close();
      return known.identity;
    }
    const identity = this.#open(user);
    this.#kept.set(user.key, { identity, sessions: 1, close: () => user.close() });
    return identity;
  }

  leave({ key }: UserIdentity): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    kept.sessions -= 1;
    if (kept.sessions > 0) return;
    this.#kept.delete(key);
    kept.identity.feeds.close();
    kept.identity.pool.close();
    void kept.close();
  }

  #open({ key, user, groups, isOwn, askLog, client: plain }: SignedInUser): UserIdentity {
    const { clock, random, onUnauthorized } = this.#deps;
    const health = new ClusterHealth({
      clock,
      onUnauthorized: (message) => {
        if (!isOwn) onUnauthorized(key, message);
      },
    });
    const client = health.noticing(plain);
    const pool = new InformerPool({ client, clock, random });
    const permissions = new Permissions(client, clock);
    const feeds = new Feeds(clock, (topic) => this.#feed({ client, askLog, pool, permissions, user }, topic));
    return { key, user, groups, isOwn, client, health, pool, permissions, feeds };
  }

  #feed({ client, askLog, pool, permissions, user }: FeedParts, topic: Topic): Feed {
    const { clock, report } = this.#deps;
    if (topic.type === 'overview')
      return feedOf((onChange) => new OverviewFeed({ ...this.#deps, pool }, onChange));
    if (topic.type === 'output')
      return feedOf((onChange) => new OutputFeed({ ask: askLog, topic, clock, report }, onChange));
    const kept = new KeptEvents(client);
    const read = readPage({ client: kept.client, askLog, permissions, clock, user }, topic);
    const onStale = kept.changed.bind(kept);
    const deps = { topic: topicText(topic), read, onStale, pool, clock, report };
    return feedOf((onChange) => new PageFeed(deps, onChange));
  }
}
