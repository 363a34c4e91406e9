import type { Journal, Row } from '#base/journal.ts';
import type { Tasks } from '#base/tasks.ts';
import { without } from '#base/json.ts';
import type { Clock } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { metaOf, withMeta } from '#kube/object.ts';
import { Expiry, type Expiring } from './expiry.ts';
import { History, usualLimits, type ColdTexts, type HistoryLimits } from './history.ts';
import { JournalWriter } from './journal-writer.ts';
import { notStored } from './not-stored.ts';
import { parsedCaches } from './parsed-forms.ts';
import { Stored, storedText, type StoredChange } from './stored.ts';
import { Table } from './table.ts';

export type StoreDeps = {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly limits?: HistoryLimits;
  /** Its objects are removed when they are old, and their older texts are left to the journal. */
  readonly expiring?: Expiring;
  /** Told of listeners that throw. */
  readonly report?: (error: unknown) => void;
};

/** One writer's view: reads see its own writes; nothing is kept unless the operation returns. */
export type Transaction = {
  /** True when nothing of it will be kept (dry run). */
  readonly rehearsal: boolean;
  get(resource: string, key: string): Stored | undefined;
  table(resource: string): Table;
  /** Stores a new revision; the object's resourceVersion is set. */
  put(resource: string, key: string, object: KubeObject): Stored;
  /** Removes the object; the answer is its last state at the revision of the deletion. */
  remove(resource: string, key: string, last?: KubeObject): Stored | undefined;
};

type Waiting = {
  readonly run: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
};
type Listener = (changes: readonly StoredChange[]) => void;

/**
 * All objects in memory, every change in the journal. Writers queue operations; once per turn of the loop
 * all queued operations run one after the other and their rows are committed together, in one synchronous
 * block. So no reader ever sees a change that is not durable, and all waiting writers share one commit.
 */
export class Store {
  readonly history: History;
  readonly #deps: StoreDeps;
  readonly #writer: JournalWriter;
  readonly #cold: ColdTexts | undefined;
  readonly #expiry: Expiry | undefined;
  readonly #tables = new Map<string, Table>();
  readonly #caches = parsedCaches();
  readonly #listeners = new Set<Listener>();
  #revision = 0;
  #queue: Waiting[] = [];
  #staged: StoredChange[] = [];
  #rehearsing = false;

  constructor(deps: StoreDeps) {
    this.#deps = deps;
    const { rows, compacted } = deps.journal.load();
    const { expiring } = deps;
    this.#cold = expiring && { resource: expiring.resource, source: (revision) => this.#textAt(revision) };
    this.#expiry = expiring && this.#openExpiry(expiring);
    this.history = new History(deps.limits ?? usualLimits, compacted, this.#cold);
    this.#revision = compacted;
    for (const row of rows) this.#restore(row, compacted);
    this.#writer = new JournalWriter(deps, this.history);
  }

  /** The newest revision; every reader may see up to it. */
  get revision(): number {
    return this.#revision;
  }

  table(resource: string): Table {
    let table = this.#tables.get(resource);
    if (table === undefined) {
      table = new Table();
      this.#tables.set(resource, table);
    }
    return table;
  }

  resources(): readonly string[] {
    return [...this.#tables.keys()];
  }

  /** Runs a synchronous operation and resolves when its writes are durable. A throw undoes all its writes. */
  transact<T>(operation: (transaction: Transaction) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let value: T;
      const run = (): void => {
        value = this.#attempt(operation);
      };
      this.#queue.push({ run, settle: () => resolve(value), fail: reject });
      if (this.#queue.length === 1) this.#deps.tasks.soon(() => this.#flush());
    });
  }

  /** Runs an operation and discards what it wrote (dry run). */
  rehearse<T>(operation: (transaction: Transaction) => T): T {
    const { revision, length } = { revision: this.#revision, length: this.#staged.length };
    this.#rehearsing = true;
    try {
      return operation(this.#transaction());
    } finally {
      this.#rehearsing = false;
      this.#undoTo(length);
      this.#revision = revision;
    }
  }

  /** Called with all changes of a commit, in order, right after it became durable. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A new store begins its history after its first objects are in place. */
  beginHistory(): void {
    this.history.forgetAll();
  }

  /** Commits what is queued and closes the journal. */
  close(): void {
    this.#expiry?.close();
    this.#flush();
    this.#writer.close();
  }

  #restore(row: Row, compacted: number): void {
    const table = this.table(row.resource);
    const before = table.get(row.key);
    const after = new Stored(this.#caches, row);
    if (row.deleted) table.delete(row.key);
    else table.set(after);
    this.#revision = Math.max(this.#revision, row.revision);
    const type = row.deleted ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED';
    const change = { resource: row.resource, type, before, after, at: row.at, lines: new Map() } as const;
    this.#expiry?.note(change);
    if (this.#cold?.resource === row.resource) after.forgetText(this.#cold.source);
    if (row.revision <= compacted) this.#restoreOld(row, before);
    else this.history.add(change);
  }

  /** Of the rows below the mark only the newest of an object counts; the others are removed. */
  #restoreOld(row: Row, before: Stored | undefined): void {
    if (before !== undefined) this.history.addLeftover(row.revision, before.revision);
    if (row.deleted) this.history.addLeftover(row.revision, row.revision);
  }

  #textAt(revision: number): string {
    const text = this.#deps.journal.read(revision);
    if (text !== undefined) return text;
    throw new Error(`revision ${revision} was compacted while it was read: read again`);
  }

  #openExpiry(expiring: Expiring): Expiry {
    const { resource } = expiring;
    const table = this.table(resource);
    const remove = (objects: readonly Stored[]): Promise<void> =>
      this.transact((transaction) => {
        for (const each of objects)
          if (transaction.get(resource, each.key) === each) transaction.remove(resource, each.key);
      });
    const report = (error: unknown): void => this.#deps.report?.(error);
    return new Expiry({ clock: this.#deps.clock, get: (key) => table.get(key), remove, report }, expiring);
  }

  #attempt<T>(operation: (transaction: Transaction) => T): T {
    const { revision, length } = { revision: this.#revision, length: this.#staged.length };
    try {
      return operation(this.#transaction());
    } catch (error) {
      this.#undoTo(length);
      this.#revision = revision;
      throw error;
    }
  }

  #transaction(): Transaction {
    return {
      rehearsal: this.#rehearsing,
      get: (resource, key) => this.table(resource).get(key),
      table: (resource) => this.table(resource),
      put: (resource, key, object) => this.#put(resource, key, object),
      remove: (resource, key, last) => this.#remove(resource, key, last),
    };
  }

  #put(resource: string, key: string, object: KubeObject): Stored {
    const before = this.table(resource).get(key);
    const after = this.#next(key, object, before);
    this.table(resource).set(after);
    this.#stage({ resource, type: before === undefined ? 'ADDED' : 'MODIFIED', before, after });
    return after;
  }

  #remove(resource: string, key: string, last?: KubeObject): Stored | undefined {
    const before = this.table(resource).get(key);
    if (before === undefined) return undefined;
    const after = this.#next(key, last ?? before.object, before);
    this.table(resource).delete(key);
    this.#stage({ resource, type: 'DELETED', before, after });
    return after;
  }

  #next(key: string, object: KubeObject, before: Stored | undefined): Stored {
    this.#revision += 1;
    const stamped = this.#rehearsing
      ? rehearsed(object, before)
      : withMeta(object, { resourceVersion: String(this.#revision) });
    const row = { key, revision: this.#revision, json: storedText(stamped) };
    return new Stored(this.#caches, row, stamped);
  }

  #stage(change: Omit<StoredChange, 'at' | 'lines'>): void {
    this.#staged.push({ ...change, at: this.#deps.clock.now(), lines: new Map() });
  }

  #undoTo(length: number): void {
    while (this.#staged.length > length) {
      const change = this.#staged.pop();
      if (change === undefined) return;
      const table = this.table(change.resource);
      if (change.before === undefined) table.delete(change.after.key);
      else table.set(change.before);
    }
  }

  #flush(): void {
    const waiting = this.#queue;
    if (waiting.length === 0) return;
    this.#queue = [];
    const revision = this.#revision;
    const settled = waiting.filter((each) => ran(each));
    const changes = this.#staged;
    try {
      if (changes.length > 0) this.#writer.append(changes);
    } catch (error) {
      this.#undoTo(0);
      this.#revision = revision;
      for (const each of settled) each.fail(notStored(error));
      return;
    }
    this.#staged = [];
    this.#publish(changes);
    for (const each of settled) each.settle();
  }

  #publish(changes: readonly StoredChange[]): void {
    if (changes.length === 0) return;
    for (const change of changes) {
      this.history.add(change);
      this.#expiry?.note(change);
    }
    this.history.trim(this.#deps.clock.now());
    for (const listener of this.#listeners) this.#tell(listener, changes);
    // Listeners read objects; what only history keeps afterwards needs no parsed form.
    for (const change of changes) {
      change.before?.forgetObject();
      if (change.type === 'DELETED') change.after.forgetObject();
    }
    this.#writer.tidyWhenIdle();
  }

  /** An error of one listener does not affect other listeners or writers. */
  #tell(listener: Listener, changes: readonly StoredChange[]): void {
    try {
      listener(changes);
    } catch (error) {
      this.#deps.report?.(error);
    }
  }
}

/** A rehearsal gives no revision away: the old one stays, and a new object has none. */
function rehearsed(object: KubeObject, before: Stored | undefined): KubeObject {
  if (before !== undefined) return withMeta(object, { resourceVersion: String(before.revision) });
  return { ...object, metadata: without(metaOf(object), 'resourceVersion') };
}

function ran(each: Waiting): boolean {
  try {
    each.run();
    return true;
  } catch (error) {
    each.fail(error);
    return false;
  }
}
