import { minutes, type Instant } from '#base/time.ts';
import type { Gone } from '#base/journal.ts';
import { RowGarbage } from './row-garbage.ts';
import type { StoredChange, Stored, TextSource } from './stored.ts';

export type HistoryLimits = {
  /** Changes younger than this are kept, as far as the other two limits allow. */
  readonly age: number;
  readonly atLeast: number;
  readonly atMost: number;
  readonly bytes: number;
  /** Rows that may wait for a quiet moment to be removed from the journal. */
  readonly garbage?: number;
};

export const usualLimits: HistoryLimits = {
  age: minutes(10),
  atLeast: 5_000,
  atMost: 100_000,
  bytes: 64_000_000,
};

/** Rows that may wait for a quiet moment to be removed, unless the limits set another number. */
const mostGarbage = 2000;

/** A resource whose older texts are left to the journal. */
export type ColdTexts = { readonly resource: string; readonly source: TextSource };

/** For so many changes the lines of watches are kept beside their objects. */
const linesKept = 1000;

/** A queue that is read by absolute position: what was dropped at the front keeps its number. */
export class ChangeLog {
  #changes: StoredChange[] = [];
  #head = 0;
  #dropped = 0;

  get start(): number {
    return this.#dropped;
  }

  get end(): number {
    return this.#dropped + this.#changes.length - this.#head;
  }

  at(position: number): StoredChange | undefined {
    return this.#changes[position - this.#dropped + this.#head];
  }

  push(change: StoredChange): void {
    this.#changes.push(change);
  }

  shift(): void {
    this.#head += 1;
    this.#dropped += 1;
    // Array.shift moves everything; a head that is cut off now and then costs nothing per change.
    if (this.#head < 1024 || this.#head * 2 < this.#changes.length) return;
    this.#changes = this.#changes.slice(this.#head);
    this.#head = 0;
  }

  /** The position of the first change after a revision. */
  after(revision: number): number {
    let low = this.#head;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.after.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#dropped + low - this.#head;
  }
}

/**
 * The window of past changes: what watches resume from and paged lists are rebuilt from. It drops only the oldest
 * changes, for all resources together, so `compacted` holds for all of them.
 */
export class History {
  readonly #all = new ChangeLog();
  readonly #logs = new Map<string, ChangeLog>();
  readonly #limits: HistoryLimits;
  #bytes = 0;
  readonly #garbage = new RowGarbage();
  readonly #cold: ColdTexts | undefined;
  /** Changes up to this revision are forgotten. */
  compacted: number;

  constructor(limits: HistoryLimits, compacted: number, cold?: ColdTexts) {
    this.#limits = limits;
    this.compacted = compacted;
    this.#cold = cold;
  }

  log(resource: string): ChangeLog {
    let log = this.#logs.get(resource);
    if (log === undefined) {
      log = new ChangeLog();
      this.#logs.set(resource, log);
    }
    return log;
  }

  add(change: StoredChange): void {
    this.#all.push(change);
    this.log(change.resource).push(change);
    this.#bytes += change.after.size;
    // Watchers that keep up have read it long ago; later ones encode the line again.
    const read = this.#all.at(this.#all.end - linesKept);
    if (read !== undefined) this.#makeSmall(read);
  }

  /** For how long changes are kept. */
  get age(): number {
    return this.#limits.age;
  }

  trim(now: Instant): void {
    for (;;) {
      const oldest = this.#all.at(this.#all.start);
      if (oldest === undefined || !this.#isTooMuch(oldest, now)) return;
      this.#forget(oldest);
    }
  }

  /** Forgets everything up to now: a new store begins its history here. */
  forgetAll(): void {
    for (;;) {
      const oldest = this.#all.at(this.#all.start);
      if (oldest === undefined) return;
      this.#forget(oldest);
    }
  }

  /** True when more rows wait to be removed from the journal than may. */
  get isBehind(): boolean {
    return this.#garbage.size > (this.#limits.garbage ?? mostGarbage);
  }

  get hasGarbage(): boolean {
    return this.#garbage.size > 0;
  }

  /** Rows that the journal no longer needs; they stay until they are dropped. */
  oldestGarbage(most = Infinity): Gone {
    return this.#garbage.oldest(most, this.compacted);
  }

  dropGarbage(gone: Gone): void {
    this.#garbage.drop(gone);
  }

  /** A row below the mark that a later change below the mark has made useless: earlier versions left such rows. */
  addLeftover(forgotten: number, revision: number): void {
    this.#garbage.add(forgotten, [revision]);
  }

  /** The objects of a resource that changed after a revision, as they were at that revision. */
  statesAt(resource: string, revision: number): Map<string, Stored | undefined> {
    const log = this.log(resource);
    const states = new Map<string, Stored | undefined>();
    for (let at = log.after(revision); at < log.end; at += 1) {
      const change = log.at(at);
      if (change !== undefined && !states.has(change.after.key)) states.set(change.after.key, change.before);
    }
    return states;
  }

  #makeSmall(change: StoredChange): void {
    change.lines = undefined;
    if (this.#cold?.resource === change.resource) change.after.forgetText(this.#cold.source);
  }

  #isTooMuch(oldest: StoredChange, now: Instant): boolean {
    const count = this.#all.end - this.#all.start;
    if (this.#bytes > this.#limits.bytes || count > this.#limits.atMost) return true;
    return count > this.#limits.atLeast && now - oldest.at > this.#limits.age;
  }

  #forget(change: StoredChange): void {
    this.#all.shift();
    this.log(change.resource).shift();
    this.#bytes -= change.after.size;
    this.compacted = change.after.revision;
    const { revision } = change.after;
    const before = change.before === undefined ? [] : [change.before.revision];
    this.#garbage.add(revision, change.type === 'DELETED' ? [...before, revision] : before);
  }
}
