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

type Going = { readonly uid: string; readonly pod: string; readonly at: Instant };

/**
 * A pod that goes without its hook, because somebody broke the glass or because a deadline proceeds, leaves an event. That
 * of a deadline comes in time.
 */
export class EventJudge {
  readonly complaints: string[] = [];
  readonly judged = { brokenGlass: 0, deadlines: 0, events: 0 };
  /** Pods that were let go so, by uid, and pods with an event about it. */
  readonly #glassed = new Map<string, { readonly pod: string; readonly at: Instant }>();
  /** Pods that went, or were changed, because a deadline proceeds, and when events about it came, by uid. */
  readonly #overdue: Going[] = [];
  /** Uids of pods with events about deadlines, by namespace and name of the event. */
  readonly #told = new Map<string, string>();
  readonly #heard = new Map<string, Instant[]>();
  /** Places of pods whose last hook before their deletion passed. */
  readonly #passed = new Set<string>();
  /** When processes were killed, cut off or led no more: what they had not sent is lost. */
  readonly #cuts: Instant[] = [];
  readonly #seen = new Set<string>();

  cut(at: Instant): void {
    this.#cuts.push(at);
  }

  overdue(pod: KubeObject, at: Instant): void {
    this.judged.deadlines += 1;
    this.#overdue.push({ uid: uidOf(pod), pod: `${namespaceOf(pod)}/${nameOf(pod)}`, at });
  }

  see({ type, storage, object, before }: ServerChange, at: Instant): void {
    if (storage === '/events') this.#hear(object, at);
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

  #hear(event: KubeObject, at: Instant): void {
    this.judged.events += 1;
    const uid = textAt(event, 'involvedObject', 'uid') ?? '';
    if (textAt(event, 'reason') === 'HookDeadlineProceed') {
      this.#told.set(`${namespaceOf(event)}/${nameOf(event)}`, uid);
      this.#heardOf(uid, at);
    }
    // The deadline may have come before the controller saw that the glass is broken.
    if (['BreakGlass', 'HookDeadlineProceed'].includes(textAt(event, 'reason') ?? '')) this.#seen.add(uid);
  }

  /** The same event once more: it is counted, and the server of the simulation does not show that. */
  counted(namespace: string, name: string, at: Instant): void {
    const uid = this.#told.get(`${namespace}/${name}`);
    if (uid !== undefined) this.#heardOf(uid, at);
  }

  #heardOf(uid: string, at: Instant): void {
    this.#heard.set(uid, [...(this.#heard.get(uid) ?? []), at]);
  }

  /** At the end of a round. `isAbout`: whether the workload of a namespace was there all the time. */
  close(isAbout: (namespace: string) => boolean): void {
    for (const [uid, { pod, at }] of this.#glassed) {
      if (!this.#isCut(at) && !this.#seen.has(uid) && isAbout(pod.slice(0, pod.indexOf('/'))))
        this.complaints.push(`Pod ${pod} went without its hook, and there is no event about it`);
    }
    this.#glassed.clear();
    for (const { uid, pod, at } of this.#overdue.splice(0)) {
      const isTold = this.#heard.get(uid)?.some((time) => Math.abs(time - at) <= patience);
      if (isTold !== true && !this.#isCut(at))
        this.complaints.push(`Pod ${pod} went by the deadline of its hook, and no event in time says so`);
    }
  }

  #isCut(at: Instant): boolean {
    return this.#cuts.some((time) => Math.abs(time - at) <= patience);
  }
}

const placeOf = (pod: KubeObject): string =>
  `${namespaceOf(pod)} ${nameOf(pod).slice(nameOf(pod).lastIndexOf('-') + 1)}`;
const isHeld = (pod: KubeObject): boolean =>
  listAt(pod, 'metadata', 'finalizers').includes(preDeleteFinalizer);
