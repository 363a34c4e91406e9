import { stopVerdicts, type HookRunStatus } from '#hooks/kinds/hook-run.ts';
import type { JsonObject } from '#base/json.ts';
import { textAt } from '#base/json.ts';
import { specOf, statusOf } from '#hooks/read.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { isFinal } from '#hooks/decide/run.ts';
import { absorb } from '#hooks/decide/verdict.ts';
import { systemClock } from '#edge/clock.ts';
import type { KubeObject } from '#kube/object.ts';
import { ExitError } from '#command/exit.ts';
import { mustBe } from '#command/open-cluster.ts';
import type { HookClusterFlags } from './cluster-commands.ts';
import { inCluster, type InCluster } from '#command/in-cluster.ts';
import { printJson, printLine, wantsJson } from '#command/print.ts';
import { readRun } from './read-run.ts';
import { lineOfMetric } from './show-run.ts';

export type StopFlags = HookClusterFlags & { readonly verdict?: string };

/** `boathook hook stop NAME`: stops a run and prints the verdict that follows. */
export async function stopCommand(name: string, flags: StopFlags): Promise<number> {
  const isJson = wantsJson(flags);
  const verdict = verdictOf(flags);
  return inCluster(flags, 'boathook-hook', async (cluster) => {
    const objectName = `HookRun ${cluster.namespace}/${name}`;
    const found = await readRun(cluster, name);
    const stopped = isFinal(statusOf(found).phase)
      ? found
      : await stop(cluster, { name, objectName }, verdict);
    const { phase } = statusOf(stopped);
    if (isJson) printJson(stopped);
    else for (const line of linesOf(objectName, stopped)) printLine(line);
    if (isFinal(phase) && verdict !== undefined && verdict !== phase)
      throw new ExitError(
        1,
        `${objectName} ended ${phase} before it could be stopped with the verdict ${verdict}`,
      );
    return 0;
  });
}

function verdictOf({ verdict }: StopFlags): string | undefined {
  if (verdict === undefined || stopVerdicts.some((each) => each === verdict)) return verdict;
  throw new ExitError(2, `--verdict ${verdict} is not known: give one of ${stopVerdicts.join(', ')}`);
}

type Named = { readonly name: string; readonly objectName: string };

/** Writes the verdict first: with a CRD without that field the run would end as Successful. */
async function stop(cluster: InCluster, named: Named, verdict: string | undefined): Promise<KubeObject> {
  if (verdict !== undefined) {
    const kept = await patched(cluster, named, { terminateVerdict: verdict });
    if (textAt(kept, 'spec', 'terminateVerdict') !== verdict)
      throw new ExitError(
        1,
        `${named.objectName} was not stopped: the cluster's HookRuns have no field terminateVerdict. Apply the CRDs of this version (boathook crds)`,
      );
    if (isFinal(statusOf(kept).phase)) return kept;
  }
  return patched(cluster, named, { terminate: true });
}

async function patched(
  { client, namespace, signal }: InCluster,
  { name, objectName }: Named,
  spec: JsonObject,
): Promise<KubeObject> {
  const patch = { type: 'merge', body: { spec }, fieldManager: 'boathook-hook' } as const;
  return mustBe(await client.patch(hookRuns, { namespace, name }, patch, signal()), objectName);
}

function linesOf(objectName: string, stopped: KubeObject): readonly string[] {
  const status = statusOf(stopped);
  if (isFinal(status.phase)) return [`${objectName} has already ended: ${status.phase}`];
  const next = absorb({ spec: specOf(stopped), status }, [], systemClock.now());
  return [
    `${objectName} is stopped and ends ${next.phase}`,
    ...(next.metricResults ?? []).map((result) => `  ${lineOfMetric(result)}`),
    meaningOf(next),
  ];
}

const meaningOf = ({ phase }: HookRunStatus): string =>
  phase === 'Successful'
    ? 'The release or pod that waits for it continues. To prevent that, use --verdict Failed or --verdict Inconclusive.'
    : 'The release or pod that waits for it does not continue.';
