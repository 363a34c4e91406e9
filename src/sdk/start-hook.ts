import { listen } from '#edge/http/listen.ts';
import type { Serve } from '#kube/http.ts';
import { logBug } from './hook-log.ts';

export type ListenAt = {
  /** 0 lets the system choose. */
  readonly port: number;
  /** 127.0.0.1 unless given. In a pod, where others must reach it: 0.0.0.0, or :: for both families. */
  readonly host?: string;
  /** PEM texts. Without them: plain HTTP. */
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
