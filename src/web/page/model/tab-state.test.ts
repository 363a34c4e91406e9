import { expect, test } from 'vitest';
import type { OverviewRow } from '#web/wire/overview.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { applyMessage, emptyTab, keptPages, versionsOf } from './tab-state.ts';

const row = (name: string, phase = 'Complete'): OverviewRow => ({
  key: `release/GameDeployment/shop/${name}`,
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

const after = (...messages: readonly StreamMessage[]) =>
  messages.reduce((state, message) => applyMessage(state, message), emptyTab);

const whole: StreamMessage = {
  type: 'overview',
  version: '1',
  overview: { rows: [row('a'), row('b')], missing: [], left: 0, examples: [] },
};

test('rows are put and removed', () => {
  const rows: StreamMessage = {
    type: 'rows',
    version: '2',
    put: [row('c'), row('a', 'Paused')],
    removed: [row('b').key],
  };
  const kept = after(whole, rows).topics.get('overview');
  const found = kept?.type === 'overview' ? [...kept.overview.rows.values()] : [];
  expect(found.map(({ name, phase }) => `${name} ${phase}`)).toEqual(['a Paused', 'c Complete']);
  expect(versionsOf(after(whole, rows), ['overview', 'cluster//x'])).toEqual(['overview@2']);
});

test('rows before the overview change nothing', () => {
  expect(after({ type: 'rows', version: '2', put: [row('c')], removed: [] })).toEqual(emptyTab);
});

test('a page that is gone is still known', () => {
  const page = { name: 'p', crd: '', phase: '', message: '', instances: [], events: [] };
  const object = {
    type: 'registration',
    page: { ...page, hook: { url: '', isHealthy: true, message: '' } },
  } as const;
  const topic = 'registration//p';
  const state = after({ type: 'object', topic, version: '1', object }, { type: 'gone', topic, version: '2' });
  expect(state.topics.get(topic)).toEqual({ type: 'gone', version: '2', last: object });
});

test('a lost connection keeps what is known, and the end of a session has its message', () => {
  const state = after(
    whole,
    { type: 'connection', isUp: false, since: '2026-11-16T00:00:00Z', message: 'refused' },
    { type: 'signed-out', message: 'the session has ended' },
  );
  expect(state.topics.get('overview')?.type).toBe('overview');
  expect(state.connection.isUp).toBe(false);
  expect(state.ended).toBe('the session has ended');
});

test('the overview and the last pages are kept, older ones are not', () => {
  const gone = (number: number): StreamMessage => ({
    type: 'gone',
    topic: `cluster//c${number}`,
    version: '1',
  });
  const many = after(whole, ...Array.from({ length: 100 }, (_, number) => gone(number)));
  const { topics } = keptPages(many, new Set(['cluster//c0']));
  expect(topics.size).toBe(26);
  expect(['overview', 'cluster//c0', 'cluster//c99'].every((topic) => topics.has(topic))).toBe(true);
  expect(topics.has('cluster//c1')).toBe(false);
});
