import { listAt, textAt } from '#base/json.ts';
import { seconds, type Instant } from '#base/time.ts';
import {
  annotationsOf,
  isDeleting,
  labelsOf,
  nameOf,
  namespaceOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';
import { breakGlassAnnotation, preDeleteFinalizer } from '#releases/model/well-known.ts';
import type { ServerChange } from '../sim-server.ts';

/** Events are sent within this time. */
const patience = seconds(5);

/** A pod that goes without its hook because somebody broke the glass leaves an event. */
export class EventJudge {
  readonly complaints: string[] = [];
  readonly judged = { brokenGlass: 0, events: 0 };
  /** Pods that were let go so, by uid, and pods with an event about it. */
  readonly #glassed = new Map<string, { readonly pod: string; readonly at: Instant }>();
  /** Places of pods whose last hook before their deletion passed. */
  readonly #passed = new Set<string>();
  /** When processes were killed or cut off: what they had not sent is lost. */
  readonly #cuts: Instant[] = [];
  readonly #seen = new Set<string>();

  cut(at: Instant): void {
    this.#cuts.push(at);
  }

  see({ type, storage, object, before }: ServerChange, at: Instant): void {
    if (storage === '/events') this.#hear(object);
    if (storage === 'tkex.tencent.com/hookruns') this.#seeRun(object);
    if (storage !== '/pods' || before === undefined) return;
    this.#judge({ type, object, before }, at);
    // Its place may be that of another pod next.
    if (type === 'DELETED') this.#passed.delete(placeOf(object));
  }

  #judge(
    { type, object, before }: Pick<ServerChange, 'type' | 'object'> & { readonly before: KubeObject },
    at: Instant,
  ): void {
    if (!isDeleting(before) || !isHeld(before)) return;
    if (type !== 'DELETED' && isHeld(object)) return;
    if (!/^[^:]*\S[^:]*:\s*\S/.test(annotationsOf(before)[breakGlassAnnotation] ?? '')) return;
    // The hook may have let it go before the controller saw that the glass is broken.
    if (this.#passed.has(placeOf(object))) return;
    this.judged.brokenGlass += 1;
    this.#glassed.set(uidOf(object), { pod: `${namespaceOf(object)}/${nameOf(object)}`, at });
  }

  #seeRun(run: KubeObject): void {
    const labels = labelsOf(run);
    if (labels['boathook.dev/hook-point'] !== 'pre-delete') return;
    const place = `${namespaceOf(run)} ${labels['boathook.dev/instance'] ?? ''}`;
    if (textAt(run, 'status', 'phase') === 'Successful') this.#passed.add(place);
    else this.#passed.delete(place);
  }

  #hear(event: KubeObject): void {
    this.judged.events += 1;
    // The deadline may have come before the controller saw that the glass is broken.
    if (['BreakGlass', 'HookDeadlineProceed'].includes(textAt(event, 'reason') ?? ''))
      this.#seen.add(textAt(event, 'involvedObject', 'uid') ?? '');
  }

  /** At the end of a round. `isAbout`: whether the workload of a namespace was there all the time. */
  close(isAbout: (namespace: string) => boolean): void {
    for (const [uid, { pod, at }] of this.#glassed) {
      const isCut = this.#cuts.some((time) => time >= at - patience && time <= at + patience);
      if (!isCut && !this.#seen.has(uid) && isAbout(pod.slice(0, pod.indexOf('/'))))
        this.complaints.push(`Pod ${pod} went without its hook, and there is no event about it`);
    }
    this.#glassed.clear();
  }
}

const placeOf = (pod: KubeObject): string =>
  `${namespaceOf(pod)} ${nameOf(pod).slice(nameOf(pod).lastIndexOf('-') + 1)}`;
const isHeld = (pod: KubeObject): boolean =>
  listAt(pod, 'metadata', 'finalizers').includes(preDeleteFinalizer);
