import { isObject, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { nameOf } from '#kube/object.ts';
import { discover, type Discovered } from './discovered.ts';
import { emptyCollection, removeForGood, removeNamespace, untilGone, type SendPlain } from './own-objects.ts';
import { runLabel } from './prefixed.ts';

export type Cleaned = {
  readonly removed: readonly string[];
  /** What stays, with the reason. */
  readonly kept: readonly string[];
};

const namespaces = '/api/v1/namespaces';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export type CleanOptions = {
  /** All runs unless given. */
  readonly run?: string;
  /** Whether controllers of the cluster remove namespaces. */
  readonly hasControllers: boolean;
};

/** Removes what runs have made. What has no label of a run is not touched. */
export async function clean(send: SendPlain, { run, hasControllers }: CleanOptions): Promise<Cleaned> {
  const selector = `?labelSelector=${encodeURIComponent(run === undefined ? runLabel : `${runLabel}=${run}`)}`;
  const removed: string[] = [];
  const resources = await discover(send);
  const spaces = await namesIn(send, namespaces + selector);
  for (const space of spaces) await emptyNamespace(send, resources, space);
  for (const { base, plural } of resources.filter(isOutside))
    for (const name of await namesIn(send, `${base}/${plural}${selector}`)) {
      await removeForGood(send, `${base}/${plural}/${name}`);
      removed.push(`${plural}/${name}`);
    }
  for (const space of spaces) {
    await removeNamespace(send, space, hasControllers);
    removed.push(`namespaces/${space}`);
  }
  for (const space of spaces) await untilGone(send, `${namespaces}/${space}`);
  const { gone, kept } = await removeDefinitions(send, selector);
  return { removed: [...removed, ...gone], kept };
}

const isOutside = ({ isNamespaced, plural, verbs }: Discovered): boolean =>
  !isNamespaced &&
  plural !== 'namespaces' &&
  plural !== 'customresourcedefinitions' &&
  verbs.includes('delete');

async function emptyNamespace(
  send: SendPlain,
  resources: readonly Discovered[],
  space: string,
): Promise<void> {
  for (const { base, plural, isNamespaced, verbs } of resources)
    if (isNamespaced && verbs.includes('delete'))
      await emptyCollection(send, `${base}/namespaces/${space}/${plural}`);
}

const itemsIn = async (send: SendPlain, path: string): Promise<readonly JsonObject[]> =>
  listAt((await send('GET', path)).body, 'items').filter(isObject);

const namesIn = async (send: SendPlain, path: string): Promise<readonly string[]> =>
  (await itemsIn(send, path)).map(nameOf);

/** A definition takes its objects with it: it stays while others have objects of the kind. */
async function removeDefinitions(
  send: SendPlain,
  selector: string,
): Promise<{ readonly gone: readonly string[]; readonly kept: readonly string[] }> {
  const gone: string[] = [];
  const kept: string[] = [];
  for (const definition of await itemsIn(send, definitions + selector)) {
    const name = nameOf(definition);
    const spec = objectAt(definition, 'spec');
    const version = textAt(
      listAt(spec, 'versions').find((each) => isObject(each) && each['served'] === true),
      'name',
    );
    const path = `/apis/${textAt(spec, 'group')}/${version}/${textAt(spec, 'names', 'plural')}`;
    const count = (await itemsIn(send, path)).length;
    if (count > 0) {
      kept.push(`customresourcedefinitions/${name}: ${count} objects of others need it`);
      continue;
    }
    await removeForGood(send, `${definitions}/${name}`);
    gone.push(`customresourcedefinitions/${name}`);
  }
  return { gone, kept };
}
