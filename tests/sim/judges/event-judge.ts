import { listAt, textAt } from '#base/json.ts';
import { annotationsOf, isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { breakGlassAnnotation, preDeleteFinalizer } from '#releases/model/well-known.ts';
import type { ServerChange } from '../sim-server.ts';

/** A pod that goes without its hook because somebody broke the glass leaves an event. */
export class EventJudge {
  readonly complaints: string[] = [];
  readonly judged = { brokenGlass: 0, events: 0 };
  /** Pods that were let go so, by uid, and pods with an event about it. */
  readonly #glassed = new Map<string, string>();
  readonly #told = new Set<string>();

  see({ type, storage, object, before }: ServerChange): void {
    if (storage === '/events') this.#hear(object);
    if (storage !== '/pods' || before === undefined || !isDeleting(before) || !isHeld(before)) return;
    if (type !== 'DELETED' && isHeld(object)) return;
    if (!/^[^:]*\S[^:]*:\s*\S/.test(annotationsOf(before)[breakGlassAnnotation] ?? '')) return;
    this.judged.brokenGlass += 1;
    this.#glassed.set(uidOf(object), `${namespaceOf(object)}/${nameOf(object)}`);
  }

  #hear(event: KubeObject): void {
    this.judged.events += 1;
    if (textAt(event, 'reason') === 'BreakGlass')
      this.#told.add(textAt(event, 'involvedObject', 'uid') ?? '');
  }

  /** At the end of a round. `isCertain`: nobody was killed or cut off with events that were not sent. */
  close(isCertain: (namespace: string) => boolean): void {
    for (const [uid, pod] of this.#glassed)
      if (!this.#told.has(uid) && isCertain(pod.slice(0, pod.indexOf('/'))))
        this.complaints.push(`Pod ${pod} went without its hook, and there is no event about it`);
    this.#glassed.clear();
  }
}

const isHeld = (pod: KubeObject): boolean =>
  listAt(pod, 'metadata', 'finalizers').includes(preDeleteFinalizer);
