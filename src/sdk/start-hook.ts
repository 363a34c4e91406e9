import { listen } from '#edge/http/listen.ts';
import type { Serve } from '#kube/http.ts';
import { logBug } from './hook-log.ts';

export type ListenAt = {
  /** 0 selects a free port. */
  readonly port: number;
  /** Defaults to 127.0.0.1. In a pod use 0.0.0.0, or :: for IPv4 and IPv6. */
  readonly host?: string;
  /** In PEM. Without them the hook is served over plain HTTP. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly ca?: string };
};

export type HookServer = {
  readonly port: number;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Serves a hook until it is closed. */
export async function startHook(
  serve: Serve,
  { port, host = '127.0.0.1', tls }: ListenAt,
): Promise<HookServer> {
  const listening = await listen({
    serve,
    host,
    port,
    tls:
      tls === undefined
        ? undefined
        : { ca: tls.ca ?? tls.certificate, server: { certificate: tls.certificate, key: tls.key } },
    report: logBug,
  });
  const close = (): Promise<void> => listening.close();
  return { port: listening.port, close, [Symbol.asyncDispose]: close };
}
