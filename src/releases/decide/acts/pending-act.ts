import { hashText } from '#base/hash.ts';
import { listAt, textAt } from '#base/json.ts';
import { shorten } from '#base/text.ts';
import { annotationsOf, isDeleting, type KubeObject } from '#kube/object.ts';
import { actAnnotation, readAct, type ReleaseAct } from '#releases/model/act.ts';

/** A request that the status does not record yet. */
export type PendingAct =
  | { readonly type: 'act'; readonly id: string; readonly act: ReleaseAct }
  | { readonly type: 'unreadable'; readonly id: string; readonly message: string };

const longestId = 100;

/** The id of a request or a change, as the status records it. */
export const shortId = (id: string): string => shorten(id, longestId);

/** Undefined when there is no request, or when it is recorded: it has an effect once. */
export function pendingAct(workload: KubeObject): PendingAct | undefined {
  if (isDeleting(workload)) return undefined;
  const read = readAct(workload);
  if (read.type === 'none') return undefined;
  const text = annotationsOf(workload)[actAnnotation] ?? '';
  const id = read.type === 'act' ? shortId(read.act.id) : `unreadable-${hashText(text)}`;
  return recordedIds(workload).has(id) ? undefined : { ...read, id };
}

/** Requests of earlier releases too: an annotation that is put back does not count again. */
export function recordedIds(workload: KubeObject): ReadonlySet<string | undefined> {
  const records = listAt(workload, 'status', 'history');
  return new Set([
    textAt(workload, 'status', 'canary', 'lastAct', 'id'),
    ...records.flatMap((record) => listAt(record, 'acts').map((act) => textAt(act, 'id'))),
  ]);
}
