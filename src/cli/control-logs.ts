import { SizedMap } from '#base/sized-map.ts';
import { seconds, type Clock } from '#base/time.ts';
import type { LogEndpointDeps } from '#command/logs/open-log-endpoint.ts';
import { statusAnswer } from '#edge/http/status-answer.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { Serve } from '#kube/http.ts';
import { ApiError } from '#kube/status.ts';
import { ScriptOutputs } from '#machines/cli/outputs/script-outputs.ts';
import type { LastCalls, MadeCall } from '#registrations/controller/last-calls.ts';

export type ControlLogsOptions = Pick<LogEndpointDeps, 'at' | 'namespace' | 'holder' | 'inform'> & {
  readonly dataDir: string;
  /** The controllers of this process. */
  readonly names: ReadonlySet<string>;
  readonly clock: Clock;
  readonly report: (problem: unknown) => void;
};

/** What the controllers of this process keep for readers, and how it is served. */
export type ControlLogs = {
  readonly outputs: ScriptOutputs;
  readonly calls: LastCalls;
  /** Answers readers of this process as those over the network. */
  readonly serve: Serve;
  /** Opens the endpoint, once: when the first object appears that can have a log. */
  begin(client: KubeClient): void;
  close(): Promise<void>;
};

export type WithLogs = { readonly logs?: Pick<ControlLogs, 'begin'> | undefined };

/** Characters of requests and replies of hooks that are kept, of all instances together. */
const roomForCalls = 4 * 1024 * 1024;

/** Logs are kept from the start; what serves them is loaded when there can be some. */
export function controlLogs(options: ControlLogsOptions): ControlLogs {
  const { dataDir, report } = options;
  const kept = { outputs: new ScriptOutputs(dataDir), calls: new SizedMap<MadeCall>(roomForCalls) };
  const stop = new AbortController();
  let served: Promise<Serve> | undefined;
  let listening: Promise<{ close(): Promise<void> }> | undefined;
  return {
    ...kept,
    async serve(request) {
      return served === undefined ? statusAnswer(nothingYet) : (await served)(request);
    },
    begin(client) {
      if (served !== undefined) return;
      served = loadServe(options, kept, client);
      listening = openEndpoint(options, { serve: served, client }, stop.signal);
      listening.catch((error: unknown) => {
        if (!stop.signal.aborted) report(error);
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

type Kept = Pick<ControlLogs, 'outputs' | 'calls'>;

async function loadServe(
  { clock, report }: ControlLogsOptions,
  { outputs, calls }: Kept,
  client: KubeClient,
): Promise<Serve> {
  const [{ serveLogs }, { clusterLog }, { registrationLog }] = await Promise.all([
    import('#command/logs/serve-logs.ts'),
    import('#machines/cli/outputs/cluster-log.ts'),
    import('#registrations/cli/registration-log.ts'),
  ]);
  const resources = [clusterLog({ outputs, clock }), registrationLog(calls)];
  return serveLogs({ client, resources, report });
}

type Opening = { readonly serve: Promise<Serve>; readonly client: KubeClient };

async function openEndpoint(
  options: ControlLogsOptions,
  { serve, client }: Opening,
  signal: AbortSignal,
): Promise<{ close(): Promise<void> }> {
  const { openLogEndpoint } = await import('#command/logs/open-log-endpoint.ts');
  const [{ clusters }, { registrations }, { ensureLeaseNamespace }] = await Promise.all([
    import('#machines/kinds/resources.ts'),
    import('#registrations/controller/resources.ts'),
    import('#command/lease-namespace.ts'),
  ]);
  const { names, clock, namespace } = options;
  const resources = [
    ...(names.has('cluster') || names.has('machine') ? [clusters] : []),
    ...(names.has('crdregistration') ? [registrations] : []),
  ];
  for (;;)
    try {
      await ensureLeaseNamespace(client, namespace, signal);
      return await openLogEndpoint({ ...options, client, serve: await serve, resources }, signal);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      await clock.sleep(betweenTries, signal);
    }
}

/** The API server may be away at the moment. */
const betweenTries = seconds(2);

const nothingYet = new ApiError({
  code: 404,
  reason: 'NotFound',
  message:
    'no log is kept here, because the controllers of this process have not reconciled a Cluster or CRDRegistration. Logs of boathook controller are shown by boathook dashboard',
});
