import type { Instant } from '#base/time.ts';
import { nameOf, resourceVersionOf, uidOf } from '#kube/object.ts';
import type { ServerChange } from '../sim-server.ts';
import { beginOf } from './known-versions.ts';
import type { ProcessSight } from './process-sight.ts';

type Gone = { readonly uid: string; readonly revision: number };

/** Who had the names of children, and since when others have them. */
export class ChildNames {
  readonly #gone = new Map<string, Gone>();
  readonly #madeAt = new Map<string, Instant>();

  see({ type, storage, object }: ServerChange, now: Instant): void {
    const gone = { uid: uidOf(object), revision: Number(resourceVersionOf(object)) };
    if (type === 'DELETED') this.#gone.set(`${storage} ${nameOf(object)}`, gone);
    if (type === 'ADDED') this.#madeAt.set(uidOf(object), now);
  }

  /** The process cannot know that another object has the name: it was made, or the former one deleted, unseen. */
  isUnseen({ storage, object }: ServerChange, sight: ProcessSight, now: Instant): boolean {
    if (sight.hasSeen(uidOf(object))) return false;
    const begin = beginOf(sight, now);
    if ((this.#madeAt.get(uidOf(object)) ?? 0) > begin) return true;
    const former = this.#gone.get(`${storage} ${nameOf(object)}`);
    const plural = storage.slice(storage.indexOf('/') + 1);
    return former !== undefined && sight.revisionAt({ plural, uid: former.uid }, begin) < former.revision;
  }
}
