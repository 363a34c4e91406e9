import { listAt, textAt } from '#base/json.ts';
import { crdName, crdOf } from '#schema/kind/crd.ts';
import type { Kind } from '#schema/kind/kind.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';

const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Applies the definitions of our kinds, and waits until the server serves them. */
export async function installKinds(
  client: KubeClient,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(kinds.map((kind) => install(client, kind, signal)));
}

async function install(client: KubeClient, kind: Kind, signal: AbortSignal): Promise<void> {
  const name = crdName(kind);
  const patch = { type: 'apply', body: crdOf(kind), force: true, fieldManager: 'boathook' } as const;
  const applied = await client.patch(definitions, { name }, patch, signal);
  if (applied.type !== 'ok') throw refused(name, applied);
  if (isEstablished(applied.object)) return;
  const resourceVersion = resourceVersionOf(applied.object);
  const options = { fieldSelector: `metadata.name=${name}`, resourceVersion };
  for await (const event of client.watch(definitions, options, signal)) {
    if (!('object' in event)) throw refused(name, event);
    if (event.type === 'MODIFIED' && isEstablished(event.object)) return;
  }
  throw new Error(`the definition ${name} was not established before the server ended the watch`);
}

const isEstablished = (definition: KubeObject): boolean =>
  listAt(definition, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Established' && textAt(each, 'status') === 'True',
  );

const refused = (name: string, { message }: Refusal): Error =>
  new Error(`the definition ${name} was refused: ${message}`);
