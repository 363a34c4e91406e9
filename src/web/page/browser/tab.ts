import { useEffect } from 'react';
import { backOff } from '#base/back-off.ts';
import { formatTime, millis } from '#base/time.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { applyMessage, emptyTab, loading, versionsOf, type TopicState } from '#web/page/model/tab-state.ts';
import { serverNow } from './clock.ts';
import { askSession } from './session.ts';
import { createStore, useStore } from './store.ts';

/** The event stream from the server of the dashboard. */
export type StreamLink = { readonly isUp: boolean; readonly since: string };

const tab = createStore(emptyTab);
const link = createStore<StreamLink>({ isUp: true, since: '' });

export const useTopic = (topic: string): TopicState =>
  useStore(tab, ({ topics }) => topics.get(topic) ?? loading);
export const useClusterConnection = () => useStore(tab, ({ connection }) => connection);
export const useStreamLink = (): StreamLink => useStore(link, (each) => each);

let topics: readonly string[] = [];
let ofPage: readonly string[] = [];
const details = new Set<string>();
let source: EventSource | undefined;
let timer: number | undefined;
let failures = 0;

/** Follows these topics and no others: one stream per tab, since a browser allows six connections to a server. */
export function follow(next: readonly string[]): void {
  ofPage = next;
  followWanted();
}

/** Follows a detail of the page too; returns how to stop. */
function followDetail(topic: string): () => void {
  details.add(topic);
  // One detail often replaces another: the stream changes once for both.
  queueMicrotask(followWanted);
  return () => {
    details.delete(topic);
    queueMicrotask(followWanted);
  };
}

/** A detail of the page, which is followed while a component shows it. */
export function useDetail(topic: string): TopicState {
  useEffect(() => followDetail(topic), [topic]);
  return useTopic(topic);
}

function followWanted(): void {
  const wanted = ofPage.length === 0 ? [] : [...ofPage, ...details];
  if (wanted.join(' ') === topics.join(' ') && (source !== undefined || wanted.length === 0)) return;
  topics = wanted;
  open();
}

/** Ends the stream, for example after the session has ended. */
export function stopFollowing(): void {
  ofPage = [];
  topics = [];
  close();
}

function close(): void {
  window.clearTimeout(timer);
  source?.close();
  source = undefined;
}

function open(): void {
  close();
  if (topics.length === 0) return;
  const query = new URLSearchParams([
    ...topics.map((topic) => ['topic', topic]),
    ...versionsOf(tab.get(), topics).map((have) => ['have', have]),
  ]);
  source = new EventSource(`/api/stream?${query}`);
  source.addEventListener('open', () => {
    failures = 0;
    link.set({ isUp: true, since: '' });
  });
  source.addEventListener('message', (event: MessageEvent<string>) => receive(event.data));
  source.addEventListener('error', lose);
}

function receive(data: string): void {
  const message = JSON.parse(data) as StreamMessage;
  if (message.type === 'signed-out') {
    close();
    void again(message.message);
    return;
  }
  tab.set(applyMessage(tab.get(), message));
}

/** Tries again with the versions that this tab has by now, which the browser's own repetition would not send. */
function lose(): void {
  close();
  if (link.get().isUp) link.set({ isUp: false, since: formatTime(serverNow()) });
  failures += 1;
  timer = window.setTimeout(() => void again(), delayOf(failures));
}

const ended = 'The session has ended: it was too old, or the server of the dashboard was restarted.';

async function again(message = ended): Promise<void> {
  const state = await askSession(message);
  if (state.type === 'known' && !state.info.isSignedIn) stopFollowing();
  else if (state.type === 'known') open();
  else lose();
}

const delayOf = (count: number): number =>
  backOff(count, Math.random(), { first: millis(500), longest: millis(5000) });

/** A tab that was asleep may have a stream that is dead without an error. */
let hiddenSince = 0;
document.addEventListener('visibilitychange', () => {
  if (document.hidden) hiddenSince = Date.now();
  else if (Date.now() - hiddenSince > 60_000) open();
});
window.addEventListener('online', open);
