import { textAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { reasonOf } from '#loop/report.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

const pods: Resource = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const lines = 20;
const bytes = 2048;

/** The last lines of the log of the newest pod of a Job, or why they cannot be read. */
export async function jobLogs(
  client: Pick<KubeClient, 'list' | 'text'>,
  job: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<string> {
  const { namespace } = job;
  try {
    const listed = await client.list(pods, { namespace, labelSelector: `job-name=${job.name}` }, signal);
    if (listed.type !== 'ok') return `no logs: ${listed.message}`;
    const newest = listed.items.toSorted(byAge).at(-1);
    if (newest === undefined) return '';
    const key = { namespace, name: nameOf(newest) };
    const query = { tailLines: lines, limitBytes: bytes };
    const log = await client.text({ resource: pods, key, subresource: 'log', query }, signal);
    return log.type === 'ok' ? log.text.slice(-bytes) : `no logs: ${log.message}`;
  } catch (error) {
    signal.throwIfAborted();
    return `no logs: ${reasonOf(error)}`;
  }
}

const createdAt = (pod: KubeObject): string => textAt(pod, 'metadata', 'creationTimestamp') ?? '';
const byAge = (left: KubeObject, right: KubeObject): number =>
  createdAt(left) < createdAt(right) ? -1 : createdAt(left) > createdAt(right) ? 1 : 0;
