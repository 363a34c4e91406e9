import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '#base/json.ts';
import { openHosts, type TestHosts } from './sshd.ts';

/** Three machines with SSH servers, and scripts that a Cluster executes on them. */
export type DashboardMachines = {
  /** For `--files-root`. */
  readonly filesRoot: string;
  readonly addresses: readonly string[];
  /** A Cluster of the machines. */
  readonly cluster: JsonObject;
  script(name: string, text: string): void;
  [Symbol.asyncDispose](): Promise<void>;
};

const password = 'secret-1';
const hookTypes = ['PreInstall', 'PostInstall', 'PreClusterInstall', 'PostClusterInstall'];

export async function openDashboardMachines(): Promise<DashboardMachines> {
  const hosts: TestHosts = openHosts();
  const filesRoot = join(hosts.folder, 'files');
  mkdirSync(join(filesRoot, 'hooks'), { recursive: true });
  const script = (name: string, text: string): void => {
    const file = join(filesRoot, 'hooks', name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  };
  for (const name of hookTypes) script(name, 'echo "done on $BOATHOOK_NODE"');
  const machines = [];
  for (let count = 0; count < 3; count += 1)
    machines.push(await hosts.add({ accounts: [{ name: 'root', password }], folders: ['/opt'] }));
  return {
    filesRoot,
    addresses: machines.map(({ address }) => address),
    cluster: {
      apiVersion: 'platform.tkestack.io/v1',
      kind: 'Cluster',
      metadata: { name: 'prod' },
      spec: {
        type: 'Baremetal',
        version: '1.30.1',
        installer: 'none',
        machines: machines.map(({ address, port }) => ({
          ip: address,
          port,
          username: 'root',
          password: btoa(password),
        })),
        features: {
          files: [{ src: 'hooks', dst: '/opt/hooks' }],
          hooks: Object.fromEntries(hookTypes.map((type) => [type, `/opt/hooks/${type}`])),
        },
      },
    },
    script,
    [Symbol.asyncDispose]: () => hosts[Symbol.asyncDispose](),
  };
}
