import { systemClock } from '#edge/clock.ts';
import type { ClusterAccess } from '#edge/kube/access.ts';
import { undiciTransport } from '#edge/kube/undici-transport.ts';
import type { LogClientDeps } from './log-client.ts';
import { endpointName } from './published-endpoint.ts';

/**
 * Connects to log endpoints with the credentials for a cluster. They are sent only to a server with a certificate of the
 * published authority. `place`: another address of it, such as that of a forwarded port.
 */
export const dialLogs =
  ({ user }: Pick<ClusterAccess, 'user'>, place?: string): LogClientDeps['dial'] =>
  ({ url, ca }) =>
    undiciTransport(
      { server: place ?? url, ca, insecure: false, serverName: endpointName, namespace: '', user },
      systemClock,
      { terminal: process.stdin.isTTY, env: process.env },
    );
