import { SizedMap } from '#base/sized-map.ts';
import type { Clock } from '#base/time.ts';
import type { LogEndpoint, LogEndpointDeps } from '#command/logs/open-log-endpoint.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Serve } from '#kube/http.ts';
import { loadOutputs } from '#machines/cli/objects/machine-io.ts';
import type { ScriptOutputs } from '#machines/cli/outputs/script-outputs.ts';
import type { LastCalls, MadeCall } from '#registrations/controller/last-calls.ts';
import type { LogScope } from './log-scope.ts';

export type ControlLogsOptions = Pick<LogEndpointDeps, 'at' | 'namespace' | 'holder' | 'inform'> & {
  readonly dataDir: string;
  /** The controllers of this process. */
  readonly names: ReadonlySet<string>;
  readonly clock: Clock;
  readonly report: (problem: unknown) => void;
};

/** What the controllers of this process keep for readers, and how it is served. */
export type ControlLogs = {
  readonly outputs: () => Promise<ScriptOutputs>;
  readonly calls: LastCalls;
  /** Answers readers of this process as those over the network. */
  readonly serve: Serve;
  /** Opens the endpoint when the first object appears that can have a log, and publishes it once for each scope. */
  begin(client: KubeClient, scope?: LogScope): void;
  close(): Promise<void>;
};

export type WithLogs = { readonly logs?: { begin(client: KubeClient): void } | undefined };

/** Characters of requests and replies of hooks that are kept, of all instances together. */
const roomForCalls = 4 * 1024 * 1024;

/** Logs are kept from the start; what serves them is loaded when there can be some. */
export function controlLogs(options: ControlLogsOptions): ControlLogs {
  let loaded: Promise<ScriptOutputs> | undefined;
  const outputs = (): Promise<ScriptOutputs> => (loaded ??= loadOutputs(options.dataDir));
  const calls = new SizedMap<MadeCall>(roomForCalls);
  const stop = new AbortController();
  let served: Promise<Serve> | undefined;
  let listening: Promise<LogEndpoint> | undefined;
  const whole: LogScope = { names: options.names };
  const published = new Set<LogScope>();
  return {
    outputs,
    calls,
    async serve(request) {
      if (served !== undefined) return (await served)(request);
      const { nothingYet } = await import('./serve-control-logs.ts');
      return nothingYet;
    },
    begin(client, scope = whole) {
      if (published.has(scope)) return;
      published.add(scope);
      served ??= begun(options, { outputs, calls, client });
      listening ??= open(options, { serve: served, client }, stop.signal);
      listening
        .then((endpoint) => publish(options, endpoint, scope, stop.signal))
        .catch((error: unknown) => {
          if (!stop.signal.aborted) options.report(error);
        });
    },
    async close() {
      stop.abort(new Error('the controllers are closing'));
      await listening?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}

type Kept = Pick<ControlLogs, 'outputs' | 'calls'> & { readonly client: KubeClient };

async function begun(options: ControlLogsOptions, { outputs, calls, client }: Kept): Promise<Serve> {
  const { serveControlLogs } = await import('./serve-control-logs.ts');
  return serveControlLogs({ ...options, outputs: await outputs(), calls, client });
}

type Opening = { readonly serve: Promise<Serve>; readonly client: KubeClient };

async function open(
  options: ControlLogsOptions,
  { serve, client }: Opening,
  signal: AbortSignal,
): Promise<LogEndpoint> {
  const { openEndpoint } = await import('./serve-control-logs.ts');
  return openEndpoint({ ...options, serve: await serve, client }, signal);
}

async function publish(
  options: ControlLogsOptions,
  endpoint: LogEndpoint,
  scope: LogScope,
  signal: AbortSignal,
): Promise<void> {
  const { publishLogs } = await import('./serve-control-logs.ts');
  await publishLogs(options, endpoint, scope, signal);
}
