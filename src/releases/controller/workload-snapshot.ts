import type { Instant } from '#base/time.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import type { DisruptionBudget } from '#releases/decide/disruption-budgets.ts';
import type { StatefulSnapshot } from '#releases/decide/game-stateful-set/snapshot.ts';
import { readGameDeployment } from '#releases/model/read.ts';
import { templateOf } from '#hooks/read.ts';
import { mayRunHooks } from '#releases/decide/workload-deletion.ts';

type ByName = (name: string) => KubeObject | undefined;
type WorkloadKey = { readonly namespace: string; readonly name: string };

/**
 * Reads the objects that a decision depends on: from informers in the controller (informer-reader.ts), by GET and LIST
 * requests in a command (request-reader.ts).
 */
export type SnapshotReader = {
  workload(key: WorkloadKey): Promise<KubeObject | undefined>;
  /** ControllerRevisions: that of the template, and the others. */
  revisions(workload: KubeObject): Promise<{
    readonly update: KubeObject;
    readonly others: readonly KubeObject[];
  }>;
  pods(workload: KubeObject): Promise<readonly KubeObject[]>;
  /** HookRuns of the workload, and a lookup of all HookRuns in its namespace. */
  runs(workload: KubeObject): Promise<{ readonly own: readonly KubeObject[]; readonly named: ByName }>;
  /** HookTemplates that the workload names. */
  templates(workload: KubeObject): Promise<ByName>;
  /** Nodes of these pods. */
  nodes(pods: readonly KubeObject[]): Promise<ByName>;
  claims(namespace: string): Promise<ByName>;
  budgets(namespace: string): Promise<readonly DisruptionBudget[]>;
  isNamespaceEnding(namespace: string): Promise<boolean>;
};

export type SnapshotClock = {
  readonly now: () => Instant;
  /** The address of the machine that runs the controller, for hooks that use it. */
  readonly hostIP?: string | undefined;
};

/** Reads everything that decides a release, once, and writes nothing. Undefined: the workload does not exist. */
export async function readWorkloadSnapshot(
  reader: SnapshotReader,
  key: WorkloadKey,
  { now, hostIP = '' }: SnapshotClock,
): Promise<StatefulSnapshot | undefined> {
  const workload = await reader.workload(key);
  if (workload === undefined) return undefined;
  const { namespace } = key;
  const { preDeleteUpdateStrategy } = readGameDeployment(workload).spec;
  // First, because it is a request for the controller too: a run that informers show only after it would be missing among
  // the runs below while its name is taken, and the pod would be asked about twice.
  const isNamespaceEnding =
    mayRunHooks(workload, preDeleteUpdateStrategy) && (await reader.isNamespaceEnding(namespace));
  const podsAndNodes = async () => {
    const pods = await reader.pods(workload);
    return { pods, node: await reader.nodes(pods) };
  };
  // At the same time: a page and a command wait for requests.
  const [revisions, { pods, node }, runs, template, claim, budgets] = await Promise.all([
    reader.revisions(workload),
    podsAndNodes(),
    reader.runs(workload),
    reader.templates(workload),
    reader.claims(namespace),
    reader.budgets(namespace),
  ]);
  return {
    workload,
    updateRevision: revisions.update,
    revisions: [...revisions.others, revisions.update],
    pods,
    runs: runs.own.filter((run) => !isDeleting(run)),
    isRunName: (name) => runs.named(name) !== undefined,
    template: (name) => {
      const found = template(name);
      return found === undefined ? undefined : templateOf(found);
    },
    node,
    claim,
    budgets,
    isNamespaceEnding,
    hostIP,
    now: now(),
  };
}

/** The revision of the template beside the others. */
export const withoutUpdate = (
  known: readonly KubeObject[],
  update: KubeObject,
): { readonly update: KubeObject; readonly others: readonly KubeObject[] } => ({
  update,
  others: known.filter((each) => nameOf(each) !== nameOf(update)),
});
