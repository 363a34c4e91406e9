import type { ToHub } from '#web/page/model/hub-messages.ts';
import { StreamHub } from './stream-hub.ts';

/** The shared worker: one hub for all tabs of a browser. */
const hub = new StreamHub();

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  const take = hub.connect((message) => port.postMessage(message));
  port.addEventListener('message', ({ data }: MessageEvent<ToHub>) => take(data));
  port.start();
});
