import { createServer } from 'node:http';

/**
 * What a hook asks: a service that knows one person.
 *
 *   sh scripts/with-node.sh examples/canary/server.ts          http://127.0.0.1:9091
 *   sh scripts/with-node.sh examples/canary/server.ts 8080 25  another port, and somebody younger
 */
const [port = '9091', age = '45'] = process.argv.slice(2);
const person = { name: 'bryan', male: 'yes', age: Number(age) };

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(person));
});

server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  const chosen = typeof address === 'object' && address !== null ? address.port : port;
  console.log(`listening on http://127.0.0.1:${chosen}`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
