import { printJson } from '#base/json-text.ts';
import { seconds, type Clock } from '#base/time.ts';
import { asJson } from '#web/server/answers.ts';
import { eventText, type FeedNews } from './feed.ts';
import type { FollowedTopic } from './feeds.ts';
import type { ClusterHealth, ConnectionMessage } from './cluster-health.ts';
import type { StreamMessage } from '#web/wire/stream.ts';

type TabDeps = {
  /** Called when the stream is read for the first time: what it takes is released when the stream ends. */
  readonly open: () => readonly FollowedTopic[];
  /** The versions that the tab has, by topic. */
  readonly have: ReadonlyMap<string, string>;
  readonly health: Pick<ClusterHealth, 'connection' | 'subscribe'>;
  readonly clock: Clock;
  /** Aborts when the session ends; the message of its reason is for the user. */
  readonly ended: AbortSignal;
  /** Aborts when the tab is closed. */
  readonly gone: AbortSignal;
};

/** Proxies close silent connections after a minute or less. */
const heartbeat = seconds(15);

/**
 * The events of a tab. What a tab has not read yet is not kept: when it reads on, it receives the difference between
 * what it has and what there is now.
 */
export async function* tabStream(deps: TabDeps): AsyncGenerator<string> {
  const { have, health, clock, ended, gone } = deps;
  const topics = deps.open();
  const versions = new Map(have);
  let wake = Promise.withResolvers<void>();
  const call = (): void => wake.resolve();
  const stops = [...topics.map(({ feed }) => feed.subscribe(call)), health.subscribe(call)];
  const over = AbortSignal.any([ended, gone]);
  over.addEventListener('abort', call);
  let connection: ConnectionMessage | undefined;
  try {
    yield 'retry: 1000\n: boathook\n\n';
    while (!over.aborted) {
      wake = Promise.withResolvers<void>();
      let isSilent = true;
      if (connection !== health.connection && (connection !== undefined || !health.connection.isUp)) {
        isSilent = false;
        yield plainEvent(health.connection);
      }
      connection = health.connection;
      for (const { topic, feed } of topics) {
        const { texts, version }: FeedNews = feed.newsSince(versions.get(topic));
        if (version !== undefined) versions.set(topic, version);
        if (texts.length > 0) isSilent = false;
        yield* texts;
      }
      if (isSilent && !(await within(clock, wake.promise))) yield ': still here\n\n';
    }
    if (ended.aborted) yield plainEvent({ type: 'signed-out', message: reasonOf(ended) });
  } finally {
    over.removeEventListener('abort', call);
    for (const stop of stops) stop();
    for (const { release } of topics) release();
  }
}

const plainEvent = (message: StreamMessage): string =>
  eventText(message, undefined, printJson(asJson(message)));

const reasonOf = ({ reason }: AbortSignal): string =>
  reason instanceof Error ? reason.message : 'the session has ended';

/** Whether the promise settles before the next heartbeat. */
function within(clock: Clock, promise: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(heartbeat, () => resolve(false));
    void promise.then(() => {
      cancel();
      resolve(true);
    });
  });
}
