import type { Instant } from '#base/time.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { keyOf } from '#loop/delta.ts';
import type { ServerChange } from '../sim-server.ts';

/** A write of a pod that arrives late is refused when the pod has changed since it was sent. */
export class LateWriteJudge {
  readonly complaints: string[] = [];
  readonly judged = { lateWrites: 0 };
  /** When each pod last changed, by uid, and when that change was sent if it was late too. */
  readonly #last = new Map<string, { readonly at: Instant; readonly sentAt: Instant | undefined }>();
  /** By namespace and name: pods that changed while a late write arrived, perhaps by it. */
  readonly #suspects = new Map<string, string>();
  readonly #sentAt: (pod: KubeObject) => Instant | undefined;

  /** `sentAt`: when a write of the pod that arrives late now was sent. */
  constructor(sentAt: (pod: KubeObject) => Instant | undefined) {
    this.#sentAt = sentAt;
  }

  see({ type, storage, object, before }: ServerChange, now: Instant): void {
    if (storage !== '/pods') return;
    const sentAt = this.#sentAt(object);
    if (before !== undefined && sentAt !== undefined) this.#judge(object, sentAt);
    if (type === 'DELETED') this.#last.delete(uidOf(object));
    else this.#last.set(uidOf(object), { at: now, sentAt });
  }

  /** A late write has arrived. One that is refused has changed nothing: somebody else acted at the same moment. */
  arrived(key: string, isWritten: boolean): void {
    const complaint = this.#suspects.get(key);
    this.#suspects.delete(key);
    if (isWritten && complaint !== undefined) this.complaints.push(complaint);
  }

  #judge(pod: KubeObject, sentAt: Instant): void {
    this.judged.lateWrites += 1;
    const last = this.#last.get(uidOf(pod));
    // What a late creation brings about is no change before it.
    if (last !== undefined && last.at > sentAt && last.sentAt !== sentAt)
      this.#suspects.set(
        keyOf(pod),
        `Pod ${namespaceOf(pod)}/${nameOf(pod)} was changed by a late write that was sent before its last change`,
      );
  }
}
