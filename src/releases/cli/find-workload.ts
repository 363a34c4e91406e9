import { nearestOf } from '#base/nearest.ts';
import { ExitError } from '#command/exit.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { mustServe } from '#command/missing-kinds.ts';
import { refusedExit } from '#command/open-cluster.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { WorkloadKind } from '#releases/controller/workload-kind.ts';
import { parseWorkloadName, workloadKinds } from './workload-name.ts';

export type FoundWorkload = {
  readonly kind: WorkloadKind;
  readonly workload: KubeObject;
  /** As messages name it: `gd/shop`. */
  readonly title: string;
};

/** The workload that an argument names. Ends the command when there is none, or more than one. */
export async function findWorkload(cluster: InCluster, text: string): Promise<FoundWorkload> {
  const { client, namespace, signal } = cluster;
  const { kind, name } = parseWorkloadName(text);
  const kinds = kind === undefined ? workloadKinds : [kind];
  const found: FoundWorkload[] = [];
  const refused: ExitError[] = [];
  for (const each of kinds) {
    const outcome = await client.get(each.resource, { namespace, name }, signal());
    const title = titleOf(each, name);
    if (outcome.type === 'ok') found.push({ kind: each, title, workload: outcome.object });
    else if (outcome.type !== 'not-found')
      refused.push(refusedExit(outcome, `${title} in namespace ${namespace}`));
  }
  const [only, ...others] = found;
  // A user who may read only one kind names a workload of that kind.
  if (only === undefined && refused[0] !== undefined) throw refused[0];
  if (only === undefined) return missing(cluster, kinds, name);
  if (others.length === 0) return only;
  const titles = found.map(({ title }) => title).join(' or ');
  throw new ExitError(2, `"${name}" names more than one workload: write ${titles}`);
}

export const titleOf = ({ kind }: WorkloadKind, name: string): string =>
  `${kind === 'GameDeployment' ? 'gd' : 'gsts'}/${name}`;

async function missing(
  { client, namespace, signal }: InCluster,
  kinds: readonly WorkloadKind[],
  name: string,
): Promise<never> {
  await mustServe(
    client,
    kinds.map(({ resource }) => resource),
    signal(),
  );
  const known: string[] = [];
  for (const { resource } of kinds) {
    const listed = await client.list(resource, { namespace, content: 'metadata' }, signal());
    if (listed.type === 'ok') known.push(...listed.items.map(nameOf));
  }
  const near = nearestOf(name, known);
  const hint = near === undefined ? '; boathook release list -A shows all' : `; did you mean ${near}?`;
  const what = kinds.map(({ kind }) => kind).join(' or ');
  throw new ExitError(1, `there is no ${what} ${name} in namespace ${namespace}${hint}`);
}
