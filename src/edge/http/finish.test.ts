import { expect, test } from 'vitest';
import { startChild } from '#edge/testing/child.ts';
import { startServer } from '#edge/testing/server.ts';
import type { Serve } from '#kube/http.ts';

// A process of its own: only then does the next body arrive while the last answer is still leaving.
const client = `
import { Agent, request } from 'node:https';
const [, port, ca] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 16, ca });
const bodies = Array.from({ length: 16 }, (_, n) =>
  Buffer.from(JSON.stringify(Array.from({ length: 25_000 + 3_000 * n }, (_, m) => ({ m }))))
);
const send = (body) => new Promise((resolve) => {
  const headers = { 'content-length': body.length };
  const asked = request({ host: '127.0.0.1', port, method: 'POST', agent, headers }, (response) => {
    response.on('error', (error) => resolve(error.code)).on('end', () => resolve('fine')).resume();
  });
  asked.on('error', (error) => resolve(error.code)).end(body);
});
const outcomes = {};
await Promise.all(bodies.map(async (body) => {
  for (let count = 0; count < 8; count += 1) {
    const outcome = await send(body);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
}));
agent.destroy();
console.log(JSON.stringify(outcomes));
`;

test('large bodies follow each other on a connection', async () => {
  const serve: Serve = async (asked) => {
    const sent: unknown = JSON.parse(Buffer.from(await asked.body(2_000_000)).toString());
    // As after a commit: what is written here is known to have left only after the next requests were read.
    await new Promise(setImmediate);
    return { status: 200, headers: {}, body: { type: 'text', text: JSON.stringify(sent) } };
  };
  await using server = await startServer(serve);
  const child = startChild(client, String(server.port), server.certificates.ca);
  const outcomes: unknown = JSON.parse((await child.lines.next()).value);
  await child.kill();
  expect(outcomes).toEqual({ fine: 128 });
  expect(server.problems).toEqual([]);
});
