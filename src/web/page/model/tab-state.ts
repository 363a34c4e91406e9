import type { Overview, OverviewRow } from '#web/wire/overview.ts';
import { outputAfter, type OutputState } from './output-state.ts';
import type { ObjectPage, StreamMessage } from '#web/wire/stream.ts';

/** The overview with its rows by key. */
export type KeptOverview = Omit<Overview, 'rows'> & { readonly rows: ReadonlyMap<string, OverviewRow> };

/** What the tab knows about one topic. `gone`: with the last page that was seen, if there was one. */
export type TopicState =
  | { readonly type: 'loading' }
  | { readonly type: 'overview'; readonly version: string; readonly overview: KeptOverview }
  | { readonly type: 'object'; readonly version: string; readonly object: ObjectPage }
  | OutputState
  | { readonly type: 'gone'; readonly version: string; readonly last?: ObjectPage }
  | { readonly type: 'refused'; readonly message: string };

/** The connection to the API server, as the server of the dashboard reports it. */
export type ClusterConnection = { readonly isUp: boolean; readonly since: string; readonly message: string };

export type TabState = {
  readonly topics: ReadonlyMap<string, TopicState>;
  readonly connection: ClusterConnection;
  /** Why the session has ended. */
  readonly ended?: string;
};

export const loading: TopicState = { type: 'loading' };

export const emptyTab: TabState = {
  topics: new Map(),
  connection: { isUp: true, since: '', message: '' },
};

/** The state after a message of the stream. */
export function applyMessage(state: TabState, message: StreamMessage): TabState {
  switch (message.type) {
    case 'overview': {
      const rows = new Map(message.overview.rows.map((row) => [row.key, row]));
      const overview = { ...message.overview, rows };
      return withTopic(state, 'overview', { type: 'overview', version: message.version, overview });
    }
    case 'rows':
      return withRows(state, message);
    case 'object': {
      const { topic, version, object } = message;
      return withTopic(state, topic, { type: 'object', version, object });
    }
    case 'output': {
      const { topic, version, part } = message;
      return withTopic(state, topic, outputAfter(state.topics.get(topic), version, part));
    }
    case 'gone':
      return withTopic(state, message.topic, goneAfter(state.topics.get(message.topic), message.version));
    case 'refused':
      return withTopic(state, message.topic, { type: 'refused', message: message.message });
    case 'connection': {
      const { isUp, since, message: why } = message;
      return { ...state, connection: { isUp, since, message: why } };
    }
    case 'signed-out':
      return { ...state, ended: message.message };
  }
}

function withTopic(state: TabState, topic: string, next: TopicState): TabState {
  const topics = new Map(state.topics);
  // The newest is last.
  topics.delete(topic);
  topics.set(topic, next);
  return { ...state, topics };
}

/** Pages that are kept, so that going back shows one at once. */
const mostPages = 24;

/** The state without the oldest pages that are not followed. */
export function keptPages(state: TabState, followed: ReadonlySet<string>): TabState {
  const others = [...state.topics.keys()].filter((topic) => topic !== 'overview' && !followed.has(topic));
  if (others.length <= mostPages) return state;
  const old = new Set(others.slice(0, others.length - mostPages));
  return { ...state, topics: new Map([...state.topics].filter(([topic]) => !old.has(topic))) };
}

/** A page that is gone is kept, so that the user can still read it. */
function goneAfter(before: TopicState | undefined, version: string): TopicState {
  const last = before?.type === 'object' ? before.object : before?.type === 'gone' ? before.last : undefined;
  return { type: 'gone', version, ...(last === undefined ? {} : { last }) };
}

/** Changed rows before the whole overview are left out: the whole one follows. */
function withRows(state: TabState, message: StreamMessage & { readonly type: 'rows' }): TabState {
  const before = state.topics.get('overview');
  if (before?.type !== 'overview') return state;
  const rows = new Map(before.overview.rows);
  for (const row of message.put) rows.set(row.key, row);
  for (const key of message.removed) rows.delete(key);
  const overview = { ...before.overview, rows };
  return withTopic(state, 'overview', { type: 'overview', version: message.version, overview });
}

/** The versions that a tab has, as the query `have` names them. */
export const versionsOf = (state: TabState, topics: readonly string[]): readonly string[] =>
  topics.flatMap((topic) => {
    const kept = state.topics.get(topic);
    return kept !== undefined && 'version' in kept ? [`${topic}@${kept.version}`] : [];
  });
