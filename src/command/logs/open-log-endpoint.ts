import { textAt } from '#base/json.ts';
import type { Clock } from '#base/time.ts';
import { days, type KeyPair } from '#edge/certificate-file.ts';
import { listen } from '#edge/http/listen.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Serve } from '#kube/http.ts';
import { configMaps, endpointName, publishEndpoint, type Publication } from './published-endpoint.ts';

export type LogEndpointDeps = {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'patch'>;
  readonly serve: Serve;
  /** Where to listen. */
  readonly at: { readonly host: string; readonly port: number };
  /** The namespace of the controllers. */
  readonly namespace: string;
  /** This process, for those who cannot reach it. */
  readonly holder: string;
  readonly clock: Clock;
  readonly inform: (message: string, fields: Readonly<Record<string, string>>) => void;
  readonly report: (problem: unknown) => void;
};

export type LogEndpoint = {
  /** Writes down for clients that the logs of these resources are served here. */
  publish(what: Pick<Publication, 'resources' | 'shard'>, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/** Serves logs over TLS, with a certificate that is made for this process. */
export async function openLogEndpoint(deps: LogEndpointDeps, signal: AbortSignal): Promise<LogEndpoint> {
  const { client, serve, at, namespace, holder, report } = deps;
  const { ca, server } = await makeCertificate(deps);
  // Never none, which would mean every authority of the system: the own one signs no client.
  const clientCa = (await clientAuthority(deps, signal)) ?? ca;
  const listening = await listen({
    serve,
    ...at,
    tls: { ca: clientCa, server },
    authenticates: true,
    // A follower that reads nothing is closed and continues where it was.
    limits: { unreadTime: 30_000 },
    report,
  });
  const url = `https://${at.host.includes(':') ? `[${at.host}]` : at.host}:${listening.port}`;
  return {
    async publish(what, until) {
      await publishEndpoint(client, namespace, { ...what, endpoint: { url, ca, holder } }, until);
      deps.inform('logs are served', { url });
    },
    close: () => listening.close(),
  };
}

/** An authority that signs one certificate: its key is forgotten. */
async function makeCertificate({
  at,
  clock,
}: LogEndpointDeps): Promise<{ readonly ca: string; readonly server: KeyPair }> {
  // The library takes a good part of a second to load.
  const { makePair } = await import('#edge/certificate-make.ts');
  const now = clock.now();
  const lifetime = days(3650);
  const issuer = await makePair({ subject: 'CN=boathook-logs-ca', issuer: undefined, now, lifetime });
  const hosts = [endpointName, at.host];
  const server = await makePair({ subject: `CN=${endpointName}`, issuer, hosts, now, lifetime });
  return { ca: issuer.certificate, server };
}

const authenticationMap = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };

/**
 * The authority of client certificates, as the API server publishes it for all who authenticate on its behalf. Without
 * it, readers need a token.
 */
async function clientAuthority(
  { client, inform }: LogEndpointDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await client.get(configMaps, authenticationMap, signal);
  const ca = found.type === 'ok' ? (textAt(found.object, 'data', 'client-ca-file') ?? '') : '';
  if (ca.includes('-----BEGIN CERTIFICATE-----')) return ca;
  const { namespace, name } = authenticationMap;
  inform('client certificates are not accepted for logs', {
    why: found.type === 'ok' ? `${namespace}/${name} has no client-ca-file` : found.message,
  });
  return undefined;
}
