import { textAt } from '#base/json.ts';
import type { EngineDoors } from '#control/machines/doors.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { KubeObject } from '#kube/object.ts';
import { Refused } from '#loop/owned/write.ts';
import type { Report } from '#loop/report.ts';
import { namespaces, secrets } from './resources.ts';

const namespace = 'boathook-system';

/** What was brought home from a cluster's machines, its kubeconfig among them: in a Secret, for all controllers. */
export function openArtifacts(
  client: Pick<KubeClient, 'get' | 'create' | 'patch'>,
  cluster: string,
  signal: AbortSignal,
): EngineDoors['artifacts'] {
  const key = { namespace, name: nameFor(cluster) };
  return {
    async read(name) {
      const found = await client.get(secrets, key, signal);
      const value = found.type === 'ok' ? textAt(found.object, 'data', dataKey(name)) : undefined;
      return value === undefined ? undefined : Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
    },
    async write(name, content) {
      const data = { [dataKey(name)]: base64(content) };
      const patch = { type: 'merge', body: { data } } as const;
      const patched = await client.patch(secrets, key, patch, signal);
      if (patched.type === 'ok') return;
      if (patched.type !== 'not-found') throw new Refused(patched);
      await client.create(namespaces, ownNamespace, signal);
      const made = await client.create(secrets, secretOf(key.name, data), signal);
      if (made.type !== 'ok') throw new Refused(made);
    },
  };
}

/** They go with the cluster: its kubeconfig opens nothing any more, and another of its name has its own key. */
export async function removeArtifacts(
  { client, report }: { readonly client: Pick<KubeClient, 'remove'>; readonly report: Report },
  cluster: string,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await client.remove(secrets, { namespace, name: nameFor(cluster) }, signal);
  // Nobody's deletion waits for a right that the controller was not given.
  if (outcome.type !== 'ok' && outcome.type !== 'not-found')
    report('what was kept of a cluster is left behind', { secret: nameFor(cluster), why: outcome.message });
}

const nameFor = (cluster: string): string => `${cluster}-artifacts`;

const ownNamespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };

const secretOf = (name: string, data: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  type: 'boathook.dev/machine-artifacts',
  data,
});

const dataKey = (name: string): string => name.replaceAll(/[^\w.-]/g, '_');

function base64(content: Uint8Array): string {
  let letters = '';
  for (const byte of content) letters += String.fromCharCode(byte);
  return btoa(letters);
}
