import type { Clock } from '#base/time.ts';
import type { Log } from '#edge/log.ts';
import { isWatch } from './is-watch.ts';
import type { Transport } from './transport.ts';

/** The same way to the server, with a line at level debug for each request. */
export function loggedTransport(transport: Transport, log: Pick<Log, 'debug'>, clock: Clock): Transport {
  return async (request) => {
    const { method, path } = request;
    const began = clock.now();
    const write = (code: number | 'none'): void =>
      log.debug('request', {
        method,
        path,
        watch: isWatch(request) || undefined,
        code,
        ms: clock.now() - began,
      });
    try {
      const response = await transport(request);
      write(response.status);
      return response;
    } catch (error) {
      write('none');
      throw error;
    }
  };
}
