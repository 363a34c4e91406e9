import { isObject, textAt, type Json } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import { apiVersionOf, kindOf, metaOf, nameOf, objectKeyOf, type KubeObject } from '#kube/object.ts';
import { createObjects } from '#cli/rehearse/prepare-cluster.ts';
import type { VirtualCluster } from '#cli/rehearse/virtual-cluster.ts';

const never = new AbortController().signal;

/**
 * Replaces objects that exist, as `kubectl replace` does, and creates the others. Returns those of kinds that are not
 * served. Ends the command when all objects are like that already.
 */
export async function applyEdits(
  cluster: VirtualCluster,
  edits: readonly KubeObject[],
): Promise<readonly string[]> {
  const notRun: string[] = [];
  const same: string[] = [];
  for (const edit of edits) {
    const { time, client } = cluster;
    const found = await time.until(
      client.resourceOf({ apiVersion: apiVersionOf(edit), kind: kindOf(edit) }, never),
    );
    const key = objectKeyOf(edit);
    const at = found.type === 'ok' && !found.resource.namespaced ? { name: key.name } : key;
    const known = found.type === 'ok' ? await time.until(client.get(found.resource, at, never)) : undefined;
    if (found.type !== 'ok' || known?.type !== 'ok') {
      notRun.push(...(await createObjects(cluster, [edit])));
      continue;
    }
    const body = replacing(known.object, edit);
    const outcome = await time.until(client.patch(found.resource, at, { type: 'json', body }, never));
    if (outcome.type !== 'ok')
      throw new ExitError(2, `the edit of ${kindOf(edit)} ${nameOf(edit)} was refused: ${outcome.message}`);
    if (versionOf(outcome.object) === versionOf(known.object)) same.push(`${kindOf(edit)} ${nameOf(edit)}`);
  }
  if (same.length === edits.length)
    throw new ExitError(
      2,
      `--edit changes nothing: ${same.join(', ')} ${same.length === 1 ? 'is' : 'are'} like that already`,
    );
  return notRun;
}

/** A write that changes nothing leaves it as it is. */
const versionOf = (object: KubeObject): string | undefined => textAt(object, 'metadata', 'resourceVersion');

const kept: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** A JSON patch that makes an object what its edit says, without what belongs to the server. */
function replacing(known: KubeObject, edit: KubeObject): Json {
  const { labels, annotations } = metaOf(edit);
  const removed = Object.keys(known).filter((key) => !kept.has(key) && !(key in edit));
  return [
    ...Object.entries(edit)
      .filter(([key]) => !kept.has(key))
      .map(([key, value]) => ({ op: 'add', path: `/${key}`, value: value ?? null })),
    ...removed.map((key) => ({ op: 'remove', path: `/${key}` })),
    ...(isObject(labels) ? [{ op: 'add', path: '/metadata/labels', value: labels }] : []),
    ...(isObject(annotations) ? [{ op: 'add', path: '/metadata/annotations', value: annotations }] : []),
  ];
}
