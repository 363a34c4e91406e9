import { textAt } from '#base/json.ts';
import type { EngineIo } from '#machines/engine/io.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';
import { encodeBase64 } from '#base/base64.ts';
import { Refused } from '#loop/owned/write.ts';
import type { Report } from '#loop/report.ts';
import { namespaces, secrets } from '#machines/kinds/resources.ts';

/** The client and the namespace of the controllers. */
type Keeping<Verbs extends keyof KubeClient> = {
  readonly client: Pick<KubeClient, Verbs>;
  readonly namespace: string;
};

/** Artifacts of a cluster, such as its kubeconfig, in a Secret that all controllers read. */
export function openArtifacts(
  { client, namespace }: Keeping<'get' | 'create' | 'patch'>,
  cluster: string,
  signal: AbortSignal,
): EngineIo['artifacts'] {
  const key = { namespace, name: nameFor(cluster) };
  return {
    async read(name) {
      const found = await client.get(secrets, key, signal);
      const value = found.type === 'ok' ? textAt(found.object, 'data', dataKey(name)) : undefined;
      return value === undefined ? undefined : Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
    },
    async write(name, content) {
      const data = { [dataKey(name)]: encodeBase64(content) };
      const found = await client.get(secrets, key, signal);
      if (found.type === 'not-found') {
        const made = await createIn(client, secretOf(key, data), signal);
        if (made.type === 'ok') return;
        if (made.type !== 'exists') throw new Refused(made);
      } else if (found.type !== 'ok') throw new Refused(found);
      else if (!isOurs(found.object)) throw new Error(anothers(key));
      const patched = await client.patch(secrets, key, { type: 'merge', body: { data } }, signal);
      if (patched.type !== 'ok') throw new Refused(patched);
    },
  };
}

/** Deletes the artifacts with the cluster: a later cluster of the same name has its own. */
export async function removeArtifacts(
  { client, namespace, report }: Keeping<'get' | 'remove'> & { readonly report: Report },
  cluster: string,
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace, name: nameFor(cluster) };
  const found = await client.get(secrets, key, signal);
  if (found.type === 'ok' && !isOurs(found.object)) return;
  const outcome = await client.remove(secrets, key, signal);
  // A deletion does not wait for permissions that the controller lacks.
  if (outcome.type !== 'ok' && outcome.type !== 'not-found')
    report(
      'the artifacts of a cluster could not be deleted',
      { namespace, secret: nameFor(cluster), why: outcome.message },
      'error',
    );
}

/** Creates the Secret, after its namespace when that is missing. */
async function createIn(
  client: Pick<KubeClient, 'create'>,
  secret: KubeObject,
  signal: AbortSignal,
): Promise<Outcome> {
  const made = await client.create(secrets, secret, signal);
  if (made.type !== 'not-found') return made;
  await client.create(namespaces, ownNamespace(namespaceOf(secret)), signal);
  return client.create(secrets, secret, signal);
}

const nameFor = (cluster: string): string => `${cluster}-artifacts`;

const ownNamespace = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});

type Key = { readonly namespace: string; readonly name: string };

const type = 'boathook.dev/machine-artifacts';
const isOurs = (secret: KubeObject): boolean => textAt(secret, 'type') === type;
const anothers = ({ namespace, name }: Key): string =>
  `the Secret ${namespace}/${name} does not belong to the cluster, so the artifacts of the cluster cannot be stored there: rename it`;

const secretOf = (key: Key, data: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: key,
  type,
  data,
});

const dataKey = (name: string): string => name.replaceAll(/[^\w.-]/g, '_');
