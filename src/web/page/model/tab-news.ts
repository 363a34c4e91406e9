import type { OverviewRow } from '#web/wire/overview.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import type { TabState, TopicState } from './tab-state.ts';

/** What a tab does not have yet. It is bounded, however long the tab does not read: topics and keys, not messages. */
export type Unread = {
  /** Topics that have another version, or whose state has none. */
  readonly topics: ReadonlySet<string>;
  /** Rows of the overview that differ, where the tab has the others. */
  readonly rows: ReadonlySet<string>;
  readonly connection: boolean;
};

export const nothingUnread: Unread = { topics: new Set(), rows: new Set(), connection: false };

export const isUnread = ({ topics, rows, connection }: Unread): boolean =>
  topics.size > 0 || rows.size > 0 || connection;

/** What is unread after a message for a tab that follows these topics. */
export function unreadAfter(unread: Unread, message: StreamMessage, followed: ReadonlySet<string>): Unread {
  switch (message.type) {
    case 'overview':
      return followed.has('overview') ? withUnread(unread, 'overview') : unread;
    case 'rows':
      return followed.has('overview') ? withUnreadRows(unread, message) : unread;
    case 'object':
    case 'output':
    case 'gone':
    case 'refused':
      return followed.has(message.topic) ? withUnread(unread, message.topic) : unread;
    case 'connection':
      return { ...unread, connection: true };
    case 'signed-out':
      return unread;
  }
}

const withUnread = (unread: Unread, topic: string): Unread => ({
  ...unread,
  topics: new Set([...unread.topics, topic]),
  rows: topic === 'overview' ? new Set() : unread.rows,
});

type Rows = Extract<StreamMessage, { readonly type: 'rows' }>;

function withUnreadRows(unread: Unread, { put, removed }: Rows): Unread {
  if (unread.topics.has('overview')) return unread;
  return { ...unread, rows: new Set([...unread.rows, ...put.map(({ key }) => key), ...removed]) };
}

/** The followed topics whose known version a tab does not have. */
export const missingTopics = (
  { topics }: TabState,
  followed: Iterable<string>,
  have: Readonly<Record<string, string>>,
): ReadonlySet<string> =>
  new Set(
    [...followed].filter((topic) => {
      const known = topics.get(topic);
      if (known === undefined || known.type === 'loading') return false;
      return !('version' in known) || known.version !== have[topic];
    }),
  );

/** The messages that bring a tab up to date. */
export function newsOf(state: TabState, { topics, rows, connection }: Unread): readonly StreamMessage[] {
  return [
    ...(connection ? [{ type: 'connection', ...state.connection } as const] : []),
    ...[...topics].flatMap((topic) => messagesOf(topic, state.topics.get(topic))),
    ...rowMessages(state, rows),
  ];
}

function messagesOf(topic: string, known: TopicState | undefined): readonly StreamMessage[] {
  switch (known?.type) {
    case undefined:
    case 'loading':
      return [];
    case 'overview': {
      const overview = { ...known.overview, rows: [...known.overview.rows.values()] };
      return [{ type: 'overview', version: known.version, overview }];
    }
    case 'object':
      return [{ type: 'object', topic, version: known.version, object: known.object }];
    case 'output': {
      const { version, omitted, text, isRunning } = known;
      return [{ type: 'output', topic, version, part: { isWhole: true, omitted, text, isRunning } }];
    }
    case 'gone':
      return [{ type: 'gone', topic, version: known.version }];
    case 'refused':
      return [{ type: 'refused', topic, message: known.message }];
  }
}

function rowMessages({ topics }: TabState, keys: ReadonlySet<string>): readonly StreamMessage[] {
  const known = topics.get('overview');
  if (keys.size === 0 || known?.type !== 'overview') return [];
  const { rows } = known.overview;
  const put = [...keys].flatMap((key): readonly OverviewRow[] => {
    const row = rows.get(key);
    return row === undefined ? [] : [row];
  });
  const removed = [...keys].filter((key) => !rows.has(key));
  return [{ type: 'rows', version: known.version, put, removed }];
}
