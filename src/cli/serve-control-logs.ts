import { seconds } from '#base/time.ts';
import { ensureLeaseNamespace } from '#command/lease-namespace.ts';
import { openLogEndpoint, type LogEndpoint, type LogEndpointDeps } from '#command/logs/open-log-endpoint.ts';
import { serveLogs, type ServeLogsDeps } from '#command/logs/serve-logs.ts';
import { statusAnswer } from '#edge/http/status-answer.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { ApiResponse, Serve } from '#kube/http.ts';
import { ApiError } from '#kube/status.ts';
import { clusterLog } from '#machines/cli/outputs/cluster-log.ts';
import type { ScriptOutputs } from '#machines/cli/outputs/script-outputs.ts';
import { clusters } from '#machines/kinds/resources.ts';
import { registrationLog } from '#registrations/cli/registration-log.ts';
import type { LastCalls } from '#registrations/controller/last-calls.ts';
import { registrations } from '#registrations/controller/resources.ts';
import type { LogScope } from './log-scope.ts';

type ServedDeps = Pick<ServeLogsDeps, 'client' | 'report'> &
  Pick<LogEndpointDeps, 'clock'> & { readonly outputs: ScriptOutputs; readonly calls: LastCalls };

/** The logs of Clusters and CRDRegistrations. */
export const serveControlLogs = ({ client, report, clock, outputs, calls }: ServedDeps): Serve =>
  serveLogs({ client, report, resources: [clusterLog({ outputs, clock }), registrationLog(calls)] });

/** The API server may be away at the moment. */
const betweenTries = seconds(2);

/** Serves logs over the network. */
export const openEndpoint = (deps: LogEndpointDeps, signal: AbortSignal): Promise<LogEndpoint> =>
  untilAvailable(deps, signal, async () => {
    await ensureLeaseNamespace(deps.client, deps.namespace, signal);
    return openLogEndpoint(deps, signal);
  });

/** Publishes that the logs of these controllers are served here. */
export function publishLogs(
  deps: Pick<LogEndpointDeps, 'clock'>,
  endpoint: LogEndpoint,
  { names, shard }: LogScope,
  signal: AbortSignal,
): Promise<void> {
  const resources = [
    ...(names.has('cluster') || names.has('machine') ? [clusters] : []),
    ...(names.has('crdregistration') ? [registrations] : []),
  ];
  return untilAvailable(deps, signal, () => endpoint.publish({ resources, shard }, signal));
}

async function untilAvailable<Made>(
  { clock }: Pick<LogEndpointDeps, 'clock'>,
  signal: AbortSignal,
  act: () => Promise<Made>,
): Promise<Made> {
  for (;;)
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      await clock.sleep(betweenTries, signal);
    }
}

/** Before the controllers have seen an object that can have a log. */
export const nothingYet: ApiResponse = statusAnswer(
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message:
      'no log is kept here, because the controllers of this process have not reconciled a Cluster or CRDRegistration. Logs of boathook controller are shown by boathook dashboard',
  }),
);
