import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/** Waits until `sink` accepts more, or the client of `response` has disconnected. */
export function drained(sink: Writable, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sink.off('drain', done);
      sink.off('close', done);
      response.off('close', done);
      resolve();
    };
    sink.on('drain', done);
    sink.on('close', done);
    response.on('close', done);
    if (sink.destroyed || response.destroyed || !sink.writableNeedDrain) done();
  });
}
