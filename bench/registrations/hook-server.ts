import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A hook service in a process of its own. A path is the number of milliseconds after which it answers, or `/hang`;
 * `/calls` tells how often it was called.
 */
let calls = 0;
const reply = JSON.stringify({
  envVars: [{ name: 'FROM_HOOK', value: 'yes' }],
  status: { conditions: [{ type: 'KuardReady', status: 'True', reason: 'OK', message: '' }] },
});

const server = createServer((request, response) => {
  const path = request.url?.slice(1) ?? '';
  request.resume();
  request.on('end', () => {
    if (path === 'calls') {
      response.end(String(calls));
      return;
    }
    calls += 1;
    if (path === 'hang') return;
    setTimeout(() => response.setHeader('content-type', 'application/json').end(reply), Number(path));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
