import { useEffect } from 'react';
import { formatTime } from '#base/time.ts';
import type { FromHub } from '#web/page/model/hub-messages.ts';
import { applyMessage, emptyTab, keptPages, loading, type TopicState } from '#web/page/model/tab-state.ts';
import { serverTime } from './clock.ts';
import { openHub, type HubDoor } from './open-hub.ts';
import { sessionName } from './requests.ts';
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
/** What is known was sent to this session. */
let session = '';
let hub: HubDoor | undefined;

/** Follows these topics and no others. */
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
  topics = ofPage.length === 0 ? [] : [...ofPage, ...details];
  if (topics.length === 0) hub?.send({ type: 'leave' });
  else announce();
}

/** Ends the stream, for example after the session has ended. */
export function stopFollowing(): void {
  follow([]);
}

/** Tells the hub what this tab shows and has. It is repeated, so that the hub knows that the tab is there. */
function announce(): void {
  if (topics.length === 0) return;
  if (session !== sessionName()) {
    session = sessionName();
    tab.set(emptyTab);
  }
  hub ??= openHub(receive, announce);
  const kept = topics.flatMap((topic) => {
    const known = tab.get().topics.get(topic);
    return known !== undefined && 'version' in known ? [[topic, known.version] as const] : [];
  });
  hub.send({ type: 'follow', session, topics, have: Object.fromEntries(kept) });
}

function receive(message: FromHub): void {
  switch (message.type) {
    case 'news': {
      const next = message.messages.reduce((state, each) => applyMessage(state, each), tab.get());
      tab.set(keptPages(next, new Set(topics)));
      hub?.send({ type: 'read' });
      return;
    }
    case 'link':
      setLink(message.lostAt);
      return;
    case 'session':
      void again(message.message);
      return;
  }
}

function setLink(lostAt: number | undefined): void {
  const isUp = lostAt === undefined;
  if (isUp && link.get().isUp) return;
  link.set({ isUp, since: isUp ? '' : formatTime(serverTime(lostAt)) });
}

async function again(message: string): Promise<void> {
  const state = await askSession(message);
  if (state.type === 'known' && !state.info.isSignedIn) stopFollowing();
  else announce();
}

window.setInterval(announce, 30_000);
// A tab that was hidden for long may have been asleep, and forgotten by the hub.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) announce();
});
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) announce();
});
window.addEventListener('pagehide', () => hub?.send({ type: 'leave' }));
window.addEventListener('online', () => hub?.send({ type: 'reconnect' }));
