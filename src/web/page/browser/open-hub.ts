import type { FromHub, ToHub } from '#web/page/model/hub-messages.ts';
import { StreamHub } from './stream-hub.ts';

/** The way to the hub: a worker that all tabs share, or one of this tab where the browser has no such workers. */
export type HubDoor = { send(message: ToHub): void };

/** A worker that says nothing for so long does not work here. */
const patience = 10_000;

/** `onLocal` is called when the shared worker turned out not to work, and the tab has a hub of its own from then on. */
export function openHub(onMessage: (message: FromHub) => void, onLocal: () => void): HubDoor {
  if (typeof SharedWorker === 'undefined') return localHub(onMessage);
  const worker = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), {
    type: 'module',
    name: 'boathook-stream',
  });
  const { port } = worker;
  let door: HubDoor = { send: (message) => port.postMessage(message) };
  const alone = (): void => {
    window.clearTimeout(timer);
    port.removeEventListener('message', take);
    port.postMessage({ type: 'leave' } satisfies ToHub);
    door = localHub(onMessage);
    onLocal();
  };
  const take = ({ data }: MessageEvent<FromHub>): void => {
    window.clearTimeout(timer);
    onMessage(data);
  };
  const timer = window.setTimeout(alone, patience);
  worker.addEventListener('error', alone, { once: true });
  port.addEventListener('message', take);
  port.start();
  return { send: (message) => door.send(message) };
}

function localHub(onMessage: (message: FromHub) => void): HubDoor {
  const send = new StreamHub().connect(onMessage);
  return { send };
}
