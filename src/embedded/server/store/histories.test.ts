import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Journal, Row } from '#base/journal.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seconds } from '#base/time.ts';
import { openSqliteJournal } from '#edge/journal/sqlite-journal.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { HistoryLimits } from './history.ts';
import { Store, type Transaction } from './store.ts';

/** The same numbers for the same seed (mulberry32). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** The process ends at this call of the journal; what the call writes is kept or not. */
type Kill = { calls: number; readonly kept: boolean };

class Killed extends Error {}

/** A journal whose process can end at every call that writes. */
function killedJournal(journal: Journal, kill: Kill): Journal {
  const dying = (work: () => void): void => {
    kill.calls -= 1;
    if (kill.calls > 0) return work();
    if (kill.calls === 0 && kill.kept) work();
    throw new Killed();
  };
  return {
    load: () => journal.load(),
    read: (revision) => journal.read(revision),
    append: (rows, gone) => dying(() => journal.append(rows, gone)),
    forget: (gone) => dying(() => journal.forget(gone)),
    tidy: () => dying(() => journal.tidy()),
    close: () => undefined,
  };
}

/** A disk that outlives the processes: `open` is the journal as the next process finds it. */
type Disk = { open(): Journal };

const resources = ['/pods', '/configmaps'] as const;
const names = ['a', 'b', 'c', 'd'] as const;
const objectOf = (name: string, value: number) => ({
  kind: 'Thing',
  apiVersion: 'v1',
  metadata: { name },
  value,
});

type Model = Map<string, number>;

class Life {
  readonly #roll: (sides: number) => number;
  readonly #disk: Disk;
  readonly #limits: HistoryLimits;
  readonly #past = new Map<number, Model>([[0, new Map()]]);
  #model: Model = new Map();
  #revision = 0;
  #value = 0;

  constructor(seed: number, disk: Disk) {
    this.#roll = dice(seed);
    this.#disk = disk;
    this.#limits = {
      age: 0,
      atLeast: this.#roll(5),
      atMost: 1 + this.#roll(8),
      bytes: 1_000_000,
      garbage: this.#roll(6),
    };
  }

  /** One process from its start to its end; what it finds is compared with the plain map. */
  async run(steps: number): Promise<void> {
    const kill: Kill = { calls: 1 + this.#roll(steps), kept: this.#roll(2) === 0 };
    const journal = this.#disk.open();
    const clock = manualClock(1_000_000);
    const due: (() => void)[] = [];
    const tasks = { soon: (task: () => void): void => void due.push(task) };
    const store = new Store({ journal: killedJournal(journal, kill), clock, tasks, limits: this.#limits });
    this.#compare(store, journal);
    for (let step = 0; step < steps && kill.calls > 0; step += 1) {
      if (this.#roll(8) === 0) clock.advance(seconds(2));
      else await this.#commit(store, due, kill);
    }
    if (kill.calls > 0) this.#compare(store, journal);
    store.close();
    journal.close();
  }

  async #commit(store: Store, due: (() => void)[], kill: Kill): Promise<void> {
    const next = new Map(this.#model);
    const states: Model[] = [];
    const writers = Array.from({ length: 1 + this.#roll(3) }, () =>
      store
        .transact((transaction) => this.#write(transaction, next, states))
        .then(
          () => true,
          () => false,
        ),
    );
    for (const task of due.splice(0)) task();
    const kept = await Promise.all(writers);
    if (kill.calls > 0 && kept.includes(false)) throw new Error('a write failed before the kill');
    const isStored = kill.calls > 0 || (kill.calls === 0 && kill.kept);
    if (!isStored && states.length > 0) return;
    this.#model = next;
    for (const state of states) this.#past.set((this.#revision += 1), state);
  }

  #write(transaction: Transaction, next: Model, states: Model[]): void {
    const resource = resources[this.#roll(resources.length)] ?? '';
    const name = names[this.#roll(names.length)] ?? '';
    const key = `default/${name}`;
    const place = `${resource} ${key}`;
    if (this.#roll(3) === 0) {
      if (transaction.remove(resource, key) === undefined) return;
      next.delete(place);
    } else {
      this.#value += 1;
      transaction.put(resource, key, objectOf(name, this.#value));
      next.set(place, this.#value);
    }
    states.push(new Map(next));
  }

  #compare(store: Store, journal: Journal): void {
    same('objects', textOf(held(store)), textOf(this.#model));
    same('revision', store.revision, this.#revision);
    const { compacted } = store.history;
    const revision = compacted + this.#roll(store.revision - compacted + 1);
    same(`objects at ${revision}`, textOf(heldAt(store, revision)), textOf(this.#past.get(revision)));
    const { rows, compacted: mark } = journal.load();
    same('stray rows', JSON.stringify(strayRows([...rows], mark)), '[]');
  }
}

/** Below the mark there is one row for each object and none for a deleted one; above it nothing is missing. */
function strayRows(rows: readonly Row[], mark: number): readonly Row[] {
  const keys = new Set<string>();
  let expected = mark;
  return rows.filter(({ revision, resource, key, deleted }) => {
    if (revision > mark) return revision !== (expected += 1);
    const isKnown = keys.has(`${resource} ${key}`);
    keys.add(`${resource} ${key}`);
    return isKnown || deleted;
  });
}

function held(store: Store): Model {
  const all: Model = new Map();
  for (const resource of resources)
    for (const { key, object } of store.table(resource).range(undefined))
      all.set(`${resource} ${key}`, Number(object['value']));
  return all;
}

function heldAt(store: Store, revision: number): Model {
  const all = held(store);
  for (const resource of resources)
    for (const [key, stored] of store.history.statesAt(resource, revision)) {
      if (stored === undefined) all.delete(`${resource} ${key}`);
      else all.set(`${resource} ${key}`, Number(stored.object['value']));
    }
  return all;
}

/** The same as `expect`, a hundred times as fast. */
function same<T>(what: string, found: T, wanted: T): void {
  if (found !== wanted) expect(found, what).toBe(wanted);
}

const textOf = (model: Model = new Map()): string =>
  [...model]
    .map(([place, value]) => `${place}=${value}`)
    .sort()
    .join('\n');

async function live(seed: number, disk: Disk): Promise<void> {
  const life = new Life(seed, disk);
  for (let process = 0; process < 4; process += 1) await life.run(12);
}

test(
  'after any writes, deletions, compactions, kills and restarts the store has what was committed',
  { timeout: 180_000 },
  async () => {
    for (let seed = 0; seed < 20_000; seed += 1) {
      const journal = memoryJournal();
      await live(seed, { open: () => journal }).catch((error: unknown) => {
        throw new Error(`seed ${seed}`, { cause: error });
      });
    }
  },
);

/** Each process finds the files as they were when the one before it ended, with a log that was not merged. */
function fileDisk(folder: string): Disk {
  let life = 0;
  const pathOf = (count: number): string => join(folder, `objects-${count}.db`);
  return {
    open() {
      life += 1;
      const journal = openSqliteJournal(pathOf(life));
      const close = (): void => {
        for (const end of ['', '-wal', '-head'])
          if (existsSync(pathOf(life) + end)) copyFileSync(pathOf(life) + end, pathOf(life + 1) + end);
        journal.close();
      };
      return { ...journal, close };
    },
  };
}

test('the same is true for files', { timeout: 180_000 }, async () => {
  for (let seed = 100_000; seed < 100_060; seed += 1) {
    using dir = tempDir();
    await live(seed, fileDisk(dir.path));
  }
});
