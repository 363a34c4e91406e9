import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Address } from '../apiserver/connection.ts';

/** A proxy in front of an API server that counts the open watches. */
export type WatchCounter = {
  readonly kubeconfig: string;
  /** Open watches by resource. */
  readonly watches: ReadonlyMap<string, number>;
  close(): void;
};

export async function startWatchCounter(address: Address, folder: string): Promise<WatchCounter> {
  const { host, port, ca, certificate } = address;
  const agent = new Agent({ keepAlive: true, ca, ...certificate });
  const watches = new Map<string, number>();
  const add = (resource: string, count: number): void => {
    const next = (watches.get(resource) ?? 0) + count;
    if (next === 0) watches.delete(resource);
    else watches.set(resource, next);
  };
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const [path = '', query] = url.split('?');
    if (new URLSearchParams(query).has('watch')) {
      const resource = path.slice(path.lastIndexOf('/') + 1);
      add(resource, 1);
      outgoing.once('close', () => add(resource, -1));
    }
    const passed = request({ agent, host, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const kubeconfig = join(folder, 'counted-kubeconfig');
  writeFileSync(kubeconfig, configOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  return {
    kubeconfig,
    watches,
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

/** JSON is YAML too. */
const configOf = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'counted',
    contexts: [{ name: 'counted', context: { cluster: 'counted', user: 'counted' } }],
    clusters: [{ name: 'counted', cluster: { server } }],
    users: [{ name: 'counted', user: {} }],
  });
