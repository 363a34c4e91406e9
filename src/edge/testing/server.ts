import { readPair, type KeyPair } from '#edge/certificate-file.ts';
import { ensureCertificates, type Certificates } from '#edge/certificates.ts';
import { systemClock } from '#edge/clock.ts';
import { listen, type ListenOptions } from '#edge/http/listen.ts';
import type { Serve } from '#kube/http.ts';
import { join } from 'node:path';
import { tempDir } from './temp-dir.ts';

export type TestServer = {
  readonly port: number;
  readonly url: string;
  readonly certificates: Certificates;
  /** The CA with its key, to issue more. */
  readonly ca: KeyPair;
  readonly problems: readonly unknown[];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A real HTTPS server on a free port of this machine. */
export async function startServer(
  serve: Serve,
  options: Pick<ListenOptions, 'authenticates' | 'limits'> = {},
): Promise<TestServer> {
  const dir = tempDir();
  const certificates = await ensureCertificates(dir.path, { now: systemClock.now() });
  const ca = readPair(join(dir.path, 'pki'), 'ca') ?? { certificate: '', key: '' };
  const problems: unknown[] = [];
  const listening = await listen({
    serve,
    host: '127.0.0.1',
    port: 0,
    tls: { ca: certificates.ca, server: certificates.server },
    report: (problem) => problems.push(problem),
    ...options,
  });
  const { port } = listening;
  const close = (): Promise<void> => listening.close();
  const dispose = async (): Promise<void> => {
    await close();
    dir[Symbol.dispose]();
  };
  const url = `https://127.0.0.1:${port}`;
  return { port, url, certificates, ca, problems, close, [Symbol.asyncDispose]: dispose };
}
