import type { JsonObject } from '#base/json.ts';
import { toBase64 } from '#base/base64.ts';

/** A simulated machine, as those who use it need to know it. */
export type KnownMachine = { readonly address: string; readonly port: number; readonly hostKey: string };

const apiVersion = 'platform.tkestack.io/v1';

/** How to log in to a machine; its key is verified. */
export const loginOf = ({ address, port, hostKey }: KnownMachine, privateKey: string): JsonObject => ({
  ip: address,
  port,
  username: 'root',
  privateKey: toBase64(privateKey),
  hostKey,
});

/** Three masters, or one; the others are workers. */
export function clusterObjects(machines: readonly KnownMachine[], privateKey: string): readonly JsonObject[] {
  const masters = machines.length < 3 ? 1 : 3;
  return [
    {
      apiVersion,
      kind: 'Cluster',
      metadata: { name: 'simulated' },
      spec: {
        type: 'Baremetal',
        version: '1.30.1',
        machines: machines.slice(0, masters).map((machine) => loginOf(machine, privateKey)),
      },
    },
    ...machines.slice(masters).map((machine, at) => ({
      apiVersion,
      kind: 'Machine',
      metadata: { name: `simulated-worker-${at + 1}` },
      spec: { type: 'Baremetal', clusterName: 'simulated', ...loginOf(machine, privateKey) },
    })),
  ];
}
