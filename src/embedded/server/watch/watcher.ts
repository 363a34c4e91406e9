import type { Instant } from '#base/time.ts';
import type { WatchedObject } from '#kube/http.ts';
import type { ObjectSelection } from '#embedded/server/request/selection.ts';
import type { ChangeLog } from '#embedded/server/store/history.ts';
import type { StoredChange, Stored } from '#embedded/server/store/stored.ts';
import { EventObjects, EventTexts, type EventBatch } from './event-batch.ts';
import type { EventForm, EventType, TableMoment } from './event-text.ts';

export type WatcherParts = {
  readonly form: EventForm;
  readonly selection: ObjectSelection;
  readonly log: ChangeLog;
  readonly position: number;
  readonly initial: readonly Stored[];
  /** True: the initial objects are followed by the bookmark that ends them. */
  readonly endsInitial: boolean;
  /** The revision of the initial objects; changes up to it are not sent again. */
  readonly since: number;
  readonly revision: () => number;
  readonly now: () => Instant;
};

/**
 * One open watch: a position in the log of changes, never a copy of them. Whoever reads takes the text that
 * is due and waits when there is none.
 */
export class Watcher {
  readonly #parts: WatcherParts;
  readonly #cut = new AbortController();
  #initial = 0;
  #endsInitial: boolean;
  #position: number;
  #first = true;
  #bookmarkDue = false;
  #ended = false;
  #lastWords = '';
  #wake: (() => void) | undefined;

  constructor(parts: WatcherParts) {
    this.#parts = parts;
    this.#position = parts.position;
    this.#endsInitial = parts.endsInitial;
  }

  get cutSignal(): AbortSignal {
    return this.#cut.signal;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** How many changes this watcher has not taken yet. */
  get lag(): number {
    return this.#parts.log.end - this.#position;
  }

  /** Whether these changes, the newest ones, are nothing to this watcher, which then has taken them. */
  skips(changes: readonly StoredChange[]): boolean {
    const { log, selection } = this.#parts;
    if (
      this.lag !== changes.length ||
      this.#bookmarkDue ||
      this.#ended ||
      this.#initial < this.#parts.initial.length
    )
      return false;
    if (changes.some((change) => eventType(change, selection) !== undefined)) return false;
    this.#position = log.end;
    return true;
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /** Ends the stream after pending events, with a last event if given. */
  end(lastWords = ''): void {
    this.#ended = true;
    this.#lastWords = lastWords;
    this.wake();
  }

  /** A reader that is too slow is cut off rather than waited for. */
  cut(): void {
    this.#cut.abort(new Error('the watcher is too slow and was cut off'));
    this.end();
  }

  wantBookmark(): void {
    this.#bookmarkDue = true;
    this.wake();
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** The text that is due now; empty when there is none. */
  take(): string {
    const texts = new EventTexts(this.#parts.form, () => this.#moment());
    this.#takeInto(texts);
    return texts.text;
  }

  /** The same as objects, for a reader in this process. */
  takeObjects(): readonly WatchedObject[] {
    const objects = new EventObjects(this.#parts.form);
    this.#takeInto(objects);
    return objects.objects;
  }

  #takeInto(batch: EventBatch): void {
    this.#takeInitial(batch);
    const { log } = this.#parts;
    if (this.#position < log.start) {
      batch.clear();
      this.cut();
      return;
    }
    this.#takeChanges(batch);
    if (this.#bookmarkDue && this.lag === 0 && this.#initial === this.#parts.initial.length) {
      this.#bookmarkDue = false;
      batch.bookmark(this.#parts.revision(), false);
    }
    if (this.#ended && this.lag === 0) {
      if (this.#lastWords !== '') batch.last(this.#lastWords);
      this.#lastWords = '';
    }
  }

  #takeChanges(batch: EventBatch): void {
    const { log, selection, since } = this.#parts;
    while (this.#position < log.end && !batch.isFull) {
      const change = log.at(this.#position);
      this.#position += 1;
      if (change === undefined || change.after.revision <= since) continue;
      const type = eventType(change, selection);
      if (type !== undefined) batch.change(type, change);
    }
  }

  #takeInitial(batch: EventBatch): void {
    const { initial } = this.#parts;
    while (this.#initial < initial.length && !batch.isFull) {
      const stored = initial[this.#initial];
      this.#initial += 1;
      if (stored !== undefined) batch.initial(stored);
    }
    if (this.#initial === initial.length && this.#endsInitial) {
      this.#endsInitial = false;
      batch.bookmark(this.#parts.since, true);
    }
  }

  #moment(): TableMoment {
    const first = this.#first;
    this.#first = false;
    return { first, now: this.#parts.now() };
  }
}

/** The event type of a change for a watcher with a selection. */
export function eventType(change: StoredChange, selection: ObjectSelection): EventType | undefined {
  const { before, after, type } = change;
  if (type === 'DELETED') return selection.matches(before ?? after) ? 'DELETED' : undefined;
  const matched = before !== undefined && selection.matches(before);
  const matches = selection.matches(after);
  if (matches) return matched ? 'MODIFIED' : 'ADDED';
  return matched ? 'DELETED' : undefined;
}
