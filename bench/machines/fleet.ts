import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterNode } from '#machines/decide/model.ts';
import { openHosts, type TestHost } from '../../tests/support/sshd.ts';
import { nodesOfHosts } from '../../tests/support/sshd/plans.ts';

/** So many that one server can listen on. */
const addressesPerServer = 16;

/** Many addresses behind few servers, each a host of its own to the client. */
export type Fleet = {
  readonly nodes: readonly ClusterNode[];
  readonly servers: readonly TestHost[];
  readonly key: string;
  /** A new empty folder for an operator's data. */
  dataDir(): string;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function openFleet(count: number): Promise<Fleet> {
  const hosts = openHosts();
  const servers: TestHost[] = [];
  for (let first = 0; first < count; first += addressesPerServer) {
    const length = Math.min(addressesPerServer, count - first);
    const addresses = Array.from({ length }, (_, at) => `127.19.${servers.length + 1}.${at + 1}`);
    servers.push(await hosts.add({ addresses, config: ['MaxStartups 100:30:200'] }));
  }
  const made: string[] = [];
  return {
    nodes: nodesOfHosts(servers, hosts.key),
    servers,
    key: hosts.key,
    dataDir() {
      const path = mkdtempSync(join(hosts.folder, 'data-'));
      made.push(path);
      return path;
    },
    async [Symbol.asyncDispose]() {
      for (const path of made) rmSync(path, { recursive: true, force: true });
      await hosts[Symbol.asyncDispose]();
    },
  };
}
