import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import { instant, type Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import { objectKeyOf, type KubeObject } from '#kube/object.ts';
import {
  aboutKey,
  combined,
  eventChange,
  eventName,
  eventOf,
  isTooVaried,
  referenceOf,
  seriesAfter,
  similarAfter,
  type Note,
  type Series,
  type Similar,
  type EventSource,
} from './event-series.ts';
import { RecentMap } from '#base/recent-map.ts';
import { reasonOf, reportNothing, type Report } from './report.ts';
import { TokenBucket, type Rate } from './token-bucket.ts';
import { settled, WorkQueue, type Next } from './work-queue.ts';

export type EventRecorderDeps = EventSource & {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks?: Tasks;
  readonly report?: Report;
};

export type EventRecorder = {
  /** Records an event about an object. Returns at once and never fails; what cannot be sent is dropped. */
  record(about: KubeObject, note: Note): void;
  /** Settles when everything recorded so far was sent, dropped or delayed. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

/** A series that is being sent. `event`: the Event as the server has it. */
type Told = {
  series: Series;
  event: KubeObject | undefined;
  failures: number;
  /** Chosen once: an event whose creation was not confirmed is found again. */
  name: string;
};

const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };
/** Objects, reasons and series that are remembered. */
const memory = 4096;
/** Events that wait to be sent. The last places are for warnings. */
const mostWaiting = { Normal: 1000, Warning: 2000 } as const;
const mostFailures = 12;
/**
 * Of one type about one object: so many at once, and then one in five minutes. Warnings, and what users requested, are
 * not held up by the rest.
 */
const perObject: Rate = { perSecond: 1 / 300, burst: 25 };

export function createEventRecorder(deps: EventRecorderDeps): EventRecorder {
  const recorder = new Recorder(deps);
  return {
    record: (about, note) => recorder.record(about, note),
    idle: () => recorder.queue.idle(),
    close: () => recorder.queue.close(),
  };
}

class Recorder {
  readonly queue: WorkQueue;
  readonly #deps: EventRecorderDeps;
  readonly #report: Report;
  readonly #buckets = new RecentMap<TokenBucket>(memory);
  readonly #similar = new RecentMap<Similar>(memory);
  readonly #told = new RecentMap<Told>(memory);
  readonly #waiting = new Map<string, Told>();
  #moment = instant(0);

  constructor(deps: EventRecorderDeps) {
    this.#deps = deps;
    this.#report = deps.report ?? reportNothing;
    const run = (key: string, signal: AbortSignal): Promise<Next> => this.#run(key, signal);
    this.queue = new WorkQueue({ ...deps, name: 'events', parallel: 8, isExpected: () => true, run });
  }

  record(about: KubeObject, note: Note): void {
    const now = this.#deps.clock.now();
    const id = aboutKey(about);
    const kind = [id, note.fieldPath ?? '', note.type, note.reason].join('\n');
    const similar = similarAfter(this.#similar.get(kind), note.message, now);
    this.#similar.set(kind, similar);
    const isVaried = isTooVaried(similar);
    const key = isVaried ? kind : [kind, note.message].join('\n');
    const known = this.#told.get(key);
    const series = seriesAfter(known?.series, {
      about: referenceOf(about, note.fieldPath),
      note,
      message: isVaried ? combined(note.message) : note.message,
      last: now,
    });
    const told = known ?? { series, event: undefined, failures: 0, name: this.#nameFor(series) };
    told.series = series;
    // Counted in any case: the next one that is sent has the right count.
    this.#told.set(key, told);
    const budget = note.isRequested === true ? 'requested' : note.type;
    const bucket = this.#buckets.ensure(`${id}\n${budget}`, () => this.#fullBucket());
    if (!bucket.tryTake()) return;
    if (!this.#waiting.has(key) && this.#waiting.size >= mostWaiting[note.type]) {
      this.#drop(key, note, 'too many events are waiting');
      return;
    }
    this.#waiting.set(key, told);
    this.queue.add(key);
  }

  #fullBucket(): TokenBucket {
    return new TokenBucket(this.#deps.clock, perObject);
  }

  /** Events are listed by name: what was noted first has the earlier name, whichever is sent first. */
  #nameFor({ about }: Series): string {
    this.#moment = instant(Math.max(Math.floor(this.#deps.clock.now()), this.#moment + 1));
    return eventName(about, this.#moment, this.#deps.random.next());
  }

  async #run(key: string, signal: AbortSignal): Promise<Next> {
    const told = this.#waiting.get(key);
    if (told === undefined) return settled;
    const { series } = told;
    const outcome = await this.#send(told, signal).catch((error: unknown) => {
      told.failures += 1;
      if (told.failures < mostFailures) throw error;
      return reasonOf(error);
    });
    if (typeof outcome === 'string' || outcome.type !== 'ok') {
      this.#drop(key, series.note, typeof outcome === 'string' ? outcome : outcome.message);
      return settled;
    }
    told.event = outcome.object;
    told.failures = 0;
    // What was noted meanwhile is queued again.
    if (told.series === series) this.#waiting.delete(key);
    return settled;
  }

  async #send(told: Told, signal: AbortSignal): Promise<Outcome> {
    const { series, event } = told;
    if (event !== undefined) {
      const outcome = await this.#count(event, series, signal);
      // Events expire; the series continues in a new one.
      if (outcome.type !== 'not-found') return outcome;
      told.name = this.#nameFor(series);
    }
    const wanted = eventOf(series, told.name, this.#deps);
    const outcome = await this.#deps.client.create(events, wanted, signal);
    if (outcome.type !== 'exists') return outcome;
    // Ours from an attempt whose answer was lost; otherwise of another client, and the next name is free.
    if (told.failures > 0) return this.#count(wanted, series, signal);
    told.name = this.#nameFor(series);
    return this.#deps.client.create(events, eventOf(series, told.name, this.#deps), signal);
  }

  #count(event: KubeObject, series: Series, signal: AbortSignal): Promise<Outcome> {
    const key = objectKeyOf(event);
    return this.#deps.client.patch(events, key, { type: 'merge', body: eventChange(series) }, signal);
  }

  #drop(key: string, note: Note, why: string): void {
    this.#waiting.delete(key);
    this.#told.delete(key);
    this.#report('an event was dropped', { reason: note.reason, message: note.message, why }, 'warn');
  }
}
