import { expect, test } from 'vitest';
import type { OverviewRow } from '#web/wire/overview.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { applyMessage, emptyTab, type TabState } from './tab-state.ts';
import { isUnread, missingTopics, newsOf, nothingUnread, unreadAfter } from './tab-news.ts';

const row = (name: string, phase = 'Complete'): OverviewRow => ({
  key: name,
  kind: 'release',
  objectKind: 'GameDeployment',
  namespace: 'shop',
  name,
  created: '2026-11-16T00:00:00Z',
  phase,
  reason: '',
  message: '',
  needsUser: false,
  isFailed: false,
  labels: {},
});

const overview = (version: string, ...rows: readonly OverviewRow[]): StreamMessage => ({
  type: 'overview',
  version,
  overview: { rows, missing: [], left: 0, examples: [] },
});
const rows = (
  version: string,
  put: readonly OverviewRow[],
  ...removed: readonly string[]
): StreamMessage => ({
  type: 'rows',
  version,
  put,
  removed,
});
const gone = (topic: string, version: string): StreamMessage => ({ type: 'gone', topic, version });

const all = (state: TabState, messages: readonly StreamMessage[]): TabState =>
  messages.reduce((known, message) => applyMessage(known, message), state);

const messages = [
  overview('1', row('a'), row('b')),
  rows('2', [row('a', 'Paused')]),
  gone('cluster//x', '1'),
  rows('3', [row('c')], 'b'),
  { type: 'refused', topic: 'cluster//y', message: 'forbidden' },
  { type: 'connection', isUp: false, since: '2026-11-16T00:00:00Z', message: 'refused' },
  rows('4', [row('c', 'Paused'), row('d')], 'a'),
  gone('cluster//x', '2'),
] as const satisfies readonly StreamMessage[];
const followed = new Set(['overview', 'cluster//x', 'cluster//y']);

/** However many messages a tab has read, one batch brings it up to date. */
test.for(messages.map((_, count) => count))('a tab that has read %i messages catches up', (count) => {
  const read = all(emptyTab, messages.slice(0, count));
  const unread = messages
    .slice(count)
    .reduce((before, message) => unreadAfter(before, message, followed), nothingUnread);
  const state = all(emptyTab, messages);
  const news = newsOf(state, unread);
  expect(news.length).toBeLessThanOrEqual(followed.size + 1);
  expect(all(read, news)).toEqual(state);
});

test('rows that changed many times are sent once', () => {
  const many = Array.from({ length: 1000 }, (_, count) => rows(String(count + 2), [row('a', `${count}`)]));
  const state = all(emptyTab, [overview('1', row('a'), row('b')), ...many]);
  const unread = many.reduce((before, message) => unreadAfter(before, message, followed), nothingUnread);
  expect(newsOf(state, unread)).toEqual([rows('1001', [row('a', '999')])]);
});

test('a tab is not told of what it does not follow', () => {
  const unread = unreadAfter(nothingUnread, gone('cluster//other', '1'), followed);
  expect(isUnread(unread)).toBe(false);
  expect(isUnread(unreadAfter(nothingUnread, rows('2', [row('a')]), new Set(['cluster//x'])))).toBe(false);
});

test('a tab that comes receives the topics whose version it does not have', () => {
  const state = all(emptyTab, messages);
  const have = { overview: '4', 'cluster//x': '1' };
  expect([...missingTopics(state, [...followed, 'cluster//unknown'], have)]).toEqual([
    'cluster//x',
    'cluster//y',
  ]);
});
