import { equalJson, numberAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { controllerReference, isControlledBy } from './owner.ts';
import { createdAt } from './pod-facts.ts';
import { fitted } from './fitted.ts';
import { fnv32, orderedJson, safeName } from './safe-hash.ts';
import { nameOf, namespaceOf, stringMap, type KubeObject } from '#kube/object.ts';

/** What a revision keeps of a workload: a patch that puts its template back. */
const revisionData = (workload: KubeObject): JsonObject => ({
  spec: { template: { ...objectAt(workload, 'spec', 'template'), $patch: 'replace' } },
});

/** The template in a revision. */
export function templateOf(revision: KubeObject): JsonObject {
  const { $patch: _strategy, ...template } = objectAt(revision, 'data', 'spec', 'template') ?? {};
  return template;
}

export const revisionHash = (data: Json, collisions: number): string =>
  safeName(fnv32(orderedJson(data) + String(collisions)));

const revisionNumber = (revision: KubeObject): number => numberAt(revision, 'revision') ?? 0;

/** Oldest first. */
const byRevision = (left: KubeObject, right: KubeObject): number =>
  revisionNumber(left) - revisionNumber(right) ||
  createdAt(left) - createdAt(right) ||
  (nameOf(left) < nameOf(right) ? -1 : 1);

export type NewRevision = {
  readonly number: number;
  readonly collisions: number;
  /** The label that carries the hash. */
  readonly hashLabel: string;
  /** The longest name: names of revisions may be labels of pods. */
  readonly longestName?: number | undefined;
};

export function newRevision(workload: KubeObject, wanted: NewRevision): KubeObject {
  const data = revisionData(workload);
  const hash = revisionHash(data, wanted.collisions);
  const labels = stringMap(objectAt(workload, 'spec', 'template', 'metadata', 'labels'));
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: revisionName(nameOf(workload), hash, wanted.longestName),
      namespace: namespaceOf(workload),
      labels: { ...labels, [wanted.hashLabel]: hash },
      annotations: stringMap(objectAt(workload, 'metadata', 'annotations')),
      ownerReferences: [controllerReference(workload)],
    },
    data,
    revision: wanted.number,
  };
}

function revisionName(workload: string, hash: string, longest: number | undefined): string {
  const start = longest === undefined ? workload.slice(0, 223) : fitted(workload, longest - hash.length - 1);
  return `${start}-${hash}`;
}

const isRevisionOf = (
  revision: KubeObject,
  workload: KubeObject,
  isSameTemplate: RevisionNaming['isSameTemplate'],
): boolean =>
  equalJson(revision['data'], revisionData(workload)) ||
  isSameTemplate?.(templateOf(revision), objectAt(workload, 'spec', 'template') ?? {}) === true;

export type RevisionNaming = Pick<NewRevision, 'hashLabel' | 'longestName'> & {
  /** Whether two templates that are written differently make the same pods. */
  readonly isSameTemplate?: (left: JsonObject, right: JsonObject) => boolean;
};

/** What to do so that the newest revision is the workload's own. */
export type RevisionStep =
  | { readonly type: 'none'; readonly revision: KubeObject }
  /** An older one comes back: it becomes the newest. */
  | { readonly type: 'renumber'; readonly revision: KubeObject }
  | { readonly type: 'create'; readonly revision: KubeObject };

/** `revisions` are the workload's own, in any order. */
export function updateRevision(
  workload: KubeObject,
  revisions: readonly KubeObject[],
  { hashLabel, longestName, isSameTemplate }: RevisionNaming,
): RevisionStep {
  const sorted = revisions.toSorted(byRevision);
  const newest = sorted.at(-1);
  const number = (newest === undefined ? 0 : revisionNumber(newest)) + 1;
  const equal = sorted.findLast(
    (each) =>
      nameOf(each).length <= (longestName ?? Infinity) && isRevisionOf(each, workload, isSameTemplate),
  );
  if (equal !== undefined) {
    return equal === newest
      ? { type: 'none', revision: equal }
      : { type: 'renumber', revision: { ...equal, revision: number } };
  }
  const collisions = numberAt(workload, 'status', 'collisionCount') ?? 0;
  return { type: 'create', revision: newRevision(workload, { number, collisions, hashLabel, longestName }) };
}

/** Revisions beyond the limit that nothing uses any more, the oldest. */
export function superfluousRevisions(
  revisions: readonly KubeObject[],
  isLive: (revision: KubeObject) => boolean,
  limit: number,
): readonly KubeObject[] {
  const history = revisions.filter((each) => !isLive(each)).sort(byRevision);
  return history.slice(0, Math.max(0, history.length - limit));
}

/** Whether one that is already there under the wanted name is the wanted one. */
export const isSameRevision = (found: KubeObject, wanted: KubeObject, workload: KubeObject): boolean =>
  equalJson(found['data'], wanted['data']) && isControlledBy(found, workload);
