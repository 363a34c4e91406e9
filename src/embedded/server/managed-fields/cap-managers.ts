import { union } from './field-set.ts';
import { compareTimes, entryOf, identityOf, type ManagedEntry } from './managed-entry.ts';

const mostUpdateManagers = 10;

/** Of more than ten update managers the oldest are put together, per version, as `ancient-changes`. */
export function capUpdateManagers(entries: readonly ManagedEntry[]): readonly ManagedEntry[] {
  const updaters = entries.filter((entry) => entry.operation === 'Update');
  if (updaters.length <= mostUpdateManagers) return entries;
  const kept = new Map(entries.map((entry) => [identityOf(entry), entry]));
  const oldestFirst = [...kept.keys()].filter((id) => kept.get(id)?.operation === 'Update').sort(byAge(kept));
  const firstOfVersion = new Map<string, string>();
  let count = oldestFirst.length;
  for (const id of oldestFirst) {
    if (count <= mostUpdateManagers) break;
    const entry = kept.get(id);
    if (entry === undefined) continue;
    const first = firstOfVersion.get(entry.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(entry.apiVersion, id);
      continue;
    }
    gather(kept, first, id);
    count -= 1;
  }
  return [...kept.values()];
}

/** Moves an entry into its version's bucket, which starts with the oldest entry of that version. */
function gather(kept: Map<string, ManagedEntry>, first: string, id: string): void {
  const entry = kept.get(id);
  if (entry === undefined) return;
  const name = {
    manager: 'ancient-changes',
    operation: 'Update',
    apiVersion: entry.apiVersion,
    subresource: '',
  } as const;
  const bucket = identityOf(name);
  const gathered = kept.get(bucket) ?? kept.get(first);
  if (!kept.has(bucket)) kept.delete(first);
  kept.delete(id);
  const fields = gathered === undefined ? entry.fieldsV1 : union(entry.fieldsV1, gathered.fieldsV1);
  kept.set(bucket, entryOf(name, fields, entry.time));
}

function byAge(kept: ReadonlyMap<string, ManagedEntry>): (left: string, right: string) => number {
  return (left, right) => {
    const [mine, other] = [kept.get(left), kept.get(right)];
    const age = mine === undefined || other === undefined ? 0 : compareTimes(mine, other);
    return age || (left < right ? -1 : 1);
  };
}
