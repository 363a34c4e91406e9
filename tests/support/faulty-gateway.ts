import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Boathook } from './boathook.ts';

/** What happens to a request on its way: nothing, an answer instead of the server's, or none at all. */
export type Fault =
  { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | 'hang' | undefined;

/** A way to the server on which faults can be put. */
export type FaultyGateway = AsyncDisposable & {
  readonly kubeconfig: string;
  /** Decides about every request from now on. */
  fault: (method: string, path: string) => Fault;
};

export async function openFaultyGateway({ access, dataDir, kubeconfig }: Boathook): Promise<FaultyGateway> {
  const { ca, cert, key, server } = access;
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method = 'GET', url = '', headers } = incoming;
    const onward = request(`${server}${url}`, { method, headers, ca, cert, key }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.pipe(outgoing).on('error', () => undefined);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  const gateway = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '' } = incoming;
    const fault = opened.fault(method, url);
    if (fault === undefined) return forward(incoming, outgoing);
    if (fault === 'hang') return undefined;
    incoming.resume();
    return void outgoing.writeHead(fault.status, fault.headers).end('{"kind":"Status","message":"a fault"}');
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const config = parse(readFileSync(kubeconfig, 'utf8')) as { clusters: [{ cluster: object }] };
  config.clusters[0].cluster = { server: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` };
  const path = join(dataDir, 'faulty-gateway');
  writeFileSync(path, stringify(config));
  const opened: FaultyGateway = {
    kubeconfig: path,
    fault: () => undefined,
    async [Symbol.asyncDispose]() {
      gateway.closeAllConnections();
      gateway.close();
      await once(gateway, 'close');
    },
  };
  return opened;
}
