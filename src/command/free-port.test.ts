import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '#edge/http/listen.ts';
import { onFreePort } from './free-port.ts';

const serve = (): Promise<never> => Promise.reject(new Error('nobody asks'));

test('a port that another process takes first is given up for another one', async () => {
  const faster = createServer();
  const offered: number[] = [];
  const listening = await onFreePort('127.0.0.1', async (port) => {
    offered.push(port);
    if (offered.length === 1) await once(faster.listen(port, '127.0.0.1'), 'listening');
    return listen({ serve, host: '127.0.0.1', port, tls: undefined, report: () => undefined });
  });
  expect(offered).toHaveLength(2);
  await listening.close();
  faster.close();
});

test('another error is not tried again', async () => {
  let tries = 0;
  const failing = onFreePort('127.0.0.1', () => {
    tries += 1;
    return Promise.reject(new Error('no certificate'));
  });
  await expect(failing).rejects.toThrow('no certificate');
  expect(tries).toBe(1);
});
