import type { JsonObject } from '#base/json.ts';
import { formatTime, instant, later, millis, seconds, type Instant, type Millis } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { syncPod } from '#embedded/nodes/pod/sync-pod.ts';
import { kubeletPod } from '#embedded/nodes/pod/kubelet-pod.ts';
import { noRules } from '#embedded/nodes/pod/pod-sync.ts';
import type { SimState, PodSyncResult } from '#embedded/nodes/pod/sync-result.ts';
import type { TuningTexts } from '#embedded/nodes/tuning/annotations.ts';
import { profiles, type ProfileName } from '#embedded/nodes/tuning/profiles.ts';
import type { Settings } from '#embedded/nodes/tuning/script.ts';

const start = instant(1_790_000_000_000);

export type Shown = { readonly at: Millis; readonly result: PodSyncResult; readonly pod: KubeObject };

export type RehearsalOptions = {
  readonly profile?: ProfileName;
  readonly timeScale?: number;
  readonly rules?: TuningTexts;
  readonly images?: ReadonlySet<string>;
  readonly hotPatches?: boolean;
};

/** A pod simulated without a server: time moves only when a test advances it. */
export class Rehearsal {
  pod: KubeObject;
  now: Instant = start;
  isRemoved = false;
  readonly history: Shown[] = [];
  readonly #settings: Settings;
  readonly #options: RehearsalOptions;
  #state: SimState = {};
  #wakeAt: Instant | undefined;

  constructor(pod: KubeObject, options: RehearsalOptions = {}) {
    this.pod = pod;
    this.#options = options;
    const profile = profiles[options.profile ?? 'instant'];
    this.#settings = { profile, timeScale: options.timeScale ?? 1, seed: 1 };
    this.look();
  }

  /** The process forgets everything and looks again. */
  restart(): void {
    this.#state = {};
    this.look();
  }

  /** Somebody changes the pod. */
  change(pod: KubeObject): void {
    this.pod = pod;
    this.look();
  }

  remove(graceSeconds: number): void {
    const deletionTimestamp = formatTime(later(this.now, seconds(graceSeconds)));
    const metadata = {
      ...(this.pod['metadata'] as JsonObject),
      deletionTimestamp,
      deletionGracePeriodSeconds: graceSeconds,
    };
    this.change({ ...this.pod, metadata });
  }

  /** Lets time pass, with a sync of the pod whenever it is due. */
  pass(span: number): void {
    const end = this.now + span;
    for (let looks = 0; this.#wakeAt !== undefined && this.#wakeAt <= end; looks += 1) {
      if (looks > 10_000) throw new Error('the pod never rests');
      this.now = instant(Math.max(this.#wakeAt, this.now));
      this.look();
    }
    this.now = instant(end);
  }

  get isAtRest(): boolean {
    return this.#wakeAt === undefined;
  }

  look(): void {
    if (this.isRemoved) return;
    const result = syncPod({
      view: kubeletPod(this.pod),
      state: this.#state,
      settings: this.#settings,
      rules: this.#options.rules ?? noRules,
      host: {
        hostIp: '10.0.0.1',
        podIp: '10.244.0.2',
        hasImage: (image) => this.#options.images?.has(image) ?? false,
        hotPatches: this.#options.hotPatches ?? false,
      },
      now: this.now,
    });
    this.#state = result.state;
    this.#wakeAt = result.wakeAt;
    if (result.status !== undefined) this.pod = { ...this.pod, status: result.status };
    this.isRemoved = result.remove;
    if (result.remove) this.#wakeAt = undefined;
    this.history.push({ at: millis(this.now - start), result, pod: this.pod });
  }
}
