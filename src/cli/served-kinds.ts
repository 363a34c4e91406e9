import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { versionPath } from '#kube/resource.ts';
import { crdName, objectSchema } from '#schema/kind/crd.ts';
import type { Kind } from '#schema/kind/kind.ts';

/** One of our kinds in a cluster. */
export type ServedKind = {
  /** As its CustomResourceDefinition is named. */
  readonly name: string;
  /** The versions that the cluster serves. */
  readonly served: readonly string[];
  /** The version that this program uses. */
  readonly wanted: string;
  readonly state: 'Served' | 'Older' | 'Missing';
  /** Fields that the cluster does not know, when its definition is older. */
  readonly missingFields: readonly string[];
};

const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Compares our kinds with those of a cluster. Without the right to read definitions, fields are not compared. */
export const servedKinds = (
  client: Pick<KubeClient, 'get' | 'raw'>,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<readonly ServedKind[]> => Promise.all(kinds.map((kind) => servedKind(client, kind, signal)));

async function servedKind(
  client: Pick<KubeClient, 'get' | 'raw'>,
  kind: Kind,
  signal: AbortSignal,
): Promise<ServedKind> {
  const { version } = kind;
  const name = crdName(kind);
  const found = await client.get(definitions, { name }, signal);
  if (found.type === 'ok') return comparedKind(kind, found.object);
  const isServed = found.type === 'not-found' ? false : await isDiscovered(client, kind, signal);
  return {
    name,
    wanted: version,
    served: isServed ? [version] : [],
    state: isServed ? 'Served' : 'Missing',
    missingFields: [],
  };
}

async function isDiscovered(
  client: Pick<KubeClient, 'raw'>,
  { group, version, plural }: Kind,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await client.raw(versionPath(group, version), signal);
  return (
    found.type === 'ok' && listAt(found.object, 'resources').some((each) => textAt(each, 'name') === plural)
  );
}

/** Compares a kind with its CustomResourceDefinition in a cluster. */
export function comparedKind(kind: Kind, definition: JsonObject): ServedKind {
  const versions = listAt(definition, 'spec', 'versions').filter(
    (each) => isObject(each) && each['served'] === true,
  );
  const served = versions.map((each) => textAt(each, 'name') ?? '');
  const same = versions.find((each) => textAt(each, 'name') === kind.version);
  const known = same === undefined ? undefined : objectAt(same, 'schema', 'openAPIV3Schema');
  const missingFields = known === undefined ? [] : fieldsWithout(objectSchema(kind), known, '');
  const state = known === undefined || missingFields.length > 0 ? 'Older' : 'Served';
  return { name: crdName(kind), wanted: kind.version, served, state, missingFields };
}

/** The paths of fields that one schema has and the other does not. */
function fieldsWithout(ours: Json | undefined, theirs: Json | undefined, path: string): readonly string[] {
  if (!isObject(ours) || !isObject(theirs)) return [];
  if (theirs['x-kubernetes-preserve-unknown-fields'] === true) return [];
  const fields = Object.entries(objectAt(ours, 'properties') ?? {}).flatMap(([name, schema]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const other = objectAt(theirs, 'properties')?.[name];
    return other === undefined ? [place] : fieldsWithout(schema, other, place);
  });
  const items = fieldsWithout(ours['items'], theirs['items'], `${path}[]`);
  const values = fieldsWithout(ours['additionalProperties'], theirs['additionalProperties'], `${path}.*`);
  return [...fields, ...items, ...values];
}

/** What to do about kinds that are missing or older; undefined when all are served. */
export function remedyOf(kinds: readonly ServedKind[]): string | undefined {
  const missing = kinds.filter(({ state }) => state === 'Missing');
  const older = kinds.filter(({ state }) => state === 'Older');
  if (missing.length + older.length === 0) return undefined;
  const parts = [
    ...(missing.length === 0 ? [] : [`does not serve ${missing.map(({ name }) => name).join(', ')}`]),
    ...(older.length === 0 ? [] : [`has older definitions: ${older.map(whyOlder).join(', ')}`]),
  ];
  return `The cluster ${parts.join(' and ')}. Install the definitions of this version: boathook crds | kubectl apply -f -`;
}

function whyOlder({ name, served, wanted, missingFields: [first, ...more] }: ServedKind): string {
  if (first === undefined) return `${name} (no version ${wanted}, only ${served.join(', ') || 'none'})`;
  return `${name} (no field ${first}${more.length === 0 ? '' : ` and ${more.length} more`})`;
}
