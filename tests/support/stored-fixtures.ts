import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Journal } from '#base/journal.ts';
import { isArray, isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import type { Instant } from '#base/time.ts';
import { kinds } from '#cli/kinds.ts';
import {
  apiVersionOf,
  groupOf,
  kindOf,
  nameOf,
  namespaceOf,
  withMeta,
  type KubeObject,
} from '#kube/object.ts';
import { readProjectFile, root } from './project-files.ts';

const folder = 'tests/fixtures/stored';

/** Versions of which there are stored objects. */
export const storedReleases = (): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const linesOf = (path: string): readonly KubeObject[] =>
  readProjectFile(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KubeObject);

export const storedObjects = (release: string): readonly KubeObject[] =>
  linesOf(`${folder}/${release}/objects.jsonl`);
export const storedDefinitions = (release: string): readonly KubeObject[] =>
  linesOf(`${folder}/${release}/definitions.jsonl`);

/** Plurals that are not the kind with an s. */
const plurals: ReadonlyMap<string, string> = new Map(kinds.map(({ kind, plural }) => [kind, plural]));

/** The resource of an object as the store has it: `apps/deployments`. */
const storedResource = (object: KubeObject): string =>
  `${groupOf(apiVersionOf(object))}/${plurals.get(kindOf(object)) ?? `${kindOf(object).toLowerCase()}s`}`;

/** The path of an object in the API. */
export function storedPath(object: KubeObject): string {
  const [group = '', plural = ''] = storedResource(object).split('/');
  const namespace = namespaceOf(object);
  const base = group === '' ? `/api/${apiVersionOf(object)}` : `/apis/${apiVersionOf(object)}`;
  return `${base}${namespace === '' ? '' : `/namespaces/${namespace}`}/${plural}/${nameOf(object)}`;
}

const namespaceNamed = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, uid: `uid-of-${name}`, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});

/** A journal in which these objects are stored, with their uids and statuses. */
export function journalOf(objects: readonly KubeObject[], at: Instant): Journal {
  const names = new Set(objects.map(namespaceOf).filter((name) => name !== ''));
  const journal = memoryJournal();
  journal.append(
    [...[...names].map(namespaceNamed), ...objects].map((object, index) => ({
      revision: index + 1,
      resource: storedResource(object),
      key: `${namespaceOf(object)}/${nameOf(object)}`,
      deleted: false,
      at,
      json: JSON.stringify(withMeta(object, { resourceVersion: String(index + 1) })),
    })),
  );
  return journal;
}

/** Paths of values that one object has and the other has not, or has otherwise. */
export function lostFields(before: Json | undefined, after: Json | undefined, path = ''): readonly string[] {
  if (isArray(before))
    return before.flatMap((item, at) =>
      lostFields(item, isArray(after) ? after[at] : undefined, `${path}[${at}]`),
    );
  if (isObject(before)) {
    if (!isObject(after)) return [path];
    return Object.entries(before).flatMap(([key, value]) => lostFields(value, after[key], `${path}.${key}`));
  }
  return before === after ? [] : [path];
}

/** The latest time in the objects. */
export const latestTime = (objects: readonly KubeObject[]): number =>
  Math.max(
    ...objects.map((object) =>
      Date.parse(textAt(object, 'status', 'lastProgressTime') ?? '2026-01-01T00:00:00Z'),
    ),
  );
