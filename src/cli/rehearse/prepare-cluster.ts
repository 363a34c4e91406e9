import { textAt, type JsonObject } from '#base/json.ts';
import { formatDuration } from '#base/duration.ts';
import { ExitError } from '#command/exit.ts';
import { apiVersionOf, kindOf, metaOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { PodBehaviour, RehearsePlan } from './rehearse-plan.ts';
import type { VirtualCluster } from './virtual-cluster.ts';

const never = new AbortController().signal;
const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const profiles: Resource = {
  group: 'boathook.dev',
  version: 'v1alpha1',
  plural: 'simulationprofiles',
  namespaced: false,
};

/** Creates objects in the cluster of a rehearsal. Returns those of kinds that it does not serve. */
export async function createObjects(
  cluster: VirtualCluster,
  objects: readonly KubeObject[],
): Promise<readonly string[]> {
  await createNamespaces(cluster, objects);
  const notRun: string[] = [];
  for (const object of objects) {
    const { time, client } = cluster;
    const found = await time.until(
      client.resourceOf({ apiVersion: apiVersionOf(object), kind: kindOf(object) }, never),
    );
    if (found.type !== 'ok') {
      notRun.push(titleOf(object));
      continue;
    }
    const placed = found.resource.namespaced ? object : withoutNamespace(object);
    const outcome = await time.until(client.create(found.resource, placed, never));
    if (outcome.type !== 'ok' && outcome.type !== 'exists')
      throw new ExitError(2, `${titleOf(object)} was refused: ${outcome.message}`);
  }
  return notRun;
}

function withoutNamespace(object: KubeObject): KubeObject {
  const { namespace: _namespace, ...metadata } = metaOf(object);
  return { ...object, metadata };
}

async function createNamespaces(
  { time, client }: VirtualCluster,
  objects: readonly KubeObject[],
): Promise<void> {
  const names = new Set(objects.map(namespaceOf).filter((name) => name !== '' && name !== 'default'));
  for (const name of names) {
    const outcome = await time.until(client.create(namespaces, { metadata: { name } }, never));
    if (outcome.type !== 'ok' && outcome.type !== 'exists')
      throw new ExitError(2, `Namespace ${name} was refused: ${outcome.message}`);
  }
}

/** Files of tools, such as a Kustomization, may have no name. */
export const titleOf = (object: KubeObject): string => `${kindOf(object)} ${nameOf(object) || '(no name)'}`;

/** Makes containers with the new images behave as `--pods` says. Without new images no container does. */
export async function setPodBehaviour(
  { time, client }: VirtualCluster,
  { pods, images }: Pick<RehearsePlan, 'pods' | 'images'>,
): Promise<void> {
  const match = { image: `^(${images.map(literal).join('|')})$` };
  const rules = behaviourRules(pods).map((rule) => ({ ...rule, match }));
  if (rules.length === 0 || images.length === 0) return;
  const profile = {
    apiVersion: 'boathook.dev/v1alpha1',
    kind: 'SimulationProfile',
    metadata: { name: 'rehearsal' },
    spec: { rules },
  };
  const outcome = await time.until(client.create(profiles, profile, never));
  if (outcome.type !== 'ok') throw new ExitError(2, `--pods: ${textAt(profile, 'kind')}: ${outcome.message}`);
}

/** A text as a regular expression that matches it. */
const literal = (text: string): string => text.replace(/[^\w/-]/g, String.raw`\$&`);

function behaviourRules({ slowStart, crash }: PodBehaviour): readonly JsonObject[] {
  return [
    ...(slowStart === undefined
      ? []
      : [{ name: 'slow-start', set: { 'ready-delay': formatDuration(slowStart) } }]),
    ...(crash === undefined
      ? []
      : [{ name: 'crash', probability: crash, set: { 'crash-after': '0', 'exit-code': 1 } }]),
  ];
}
