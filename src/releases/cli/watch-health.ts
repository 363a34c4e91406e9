import { seconds, type Clock } from '#base/time.ts';
import { textAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { WatchEvent } from '#edge/kube/watch.ts';
import type { Report } from '#loop/report.ts';

type Watching = Pick<KubeClient, 'pages' | 'list' | 'watch'>;

/** Whether the watches of a command are connected. */
export type WatchHealth = {
  /** Why the view may be old; undefined while all is well. */
  readonly trouble: () => string | undefined;
  /** The client and the report for informers. */
  readonly client: Watching;
  readonly report: Report;
};

/** A watch that has not failed in this time is connected, also when it has had no event. */
const settled = seconds(2);

export function watchHealth(
  client: Watching,
  clock: Pick<Clock, 'after'>,
  onChange: () => void,
): WatchHealth {
  const troubles = new Map<string, string>();
  const clear = (resource: string): void => {
    if (troubles.delete(resource)) onChange();
  };
  return {
    trouble: () => [...troubles.values()][0],
    client: {
      list: client.list,
      pages: client.pages,
      watch: (resource, options, signal) => {
        const isFine = (): void => clear(resource.plural);
        return noticed(client.watch(resource, options, signal), clock, isFine);
      },
    },
    report(_message, fields, level) {
      if (level === 'info') return;
      const resource = textAt(fields, 'resource') ?? '';
      troubles.set(resource, textAt(fields, 'why') ?? 'the connection was lost');
      onChange();
    },
  };
}

async function* noticed(
  events: AsyncIterable<WatchEvent>,
  clock: Pick<Clock, 'after'>,
  isFine: () => void,
): AsyncGenerator<WatchEvent> {
  const cancel = clock.after(settled, isFine);
  try {
    for await (const event of events) {
      if (!('code' in event)) isFine();
      yield event;
    }
  } finally {
    cancel();
  }
}
