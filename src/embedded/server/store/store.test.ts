import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Journal } from '#base/journal.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seconds } from '#base/time.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import type { HistoryLimits } from './history.ts';
import { Store, type Transaction } from './store.ts';
import type { StoredChange, Stored } from './stored.ts';

const limits: HistoryLimits = { age: 0, atLeast: 4, atMost: 12, bytes: 1_000_000, garbage: 4 };
const tables = ['/pods', 'apps/deployments'] as const;

type Write = { readonly table: number; readonly key: string; readonly value: number | 'remove' };
type Attempt = { readonly writes: readonly Write[]; readonly fails: boolean };
type Step =
  | { readonly type: 'commit'; readonly attempts: readonly Attempt[]; readonly diskFull: boolean }
  | { readonly type: 'rehearse'; readonly attempt: Attempt }
  | { readonly type: 'restart' }
  | { readonly type: 'idle' };

const write = fc.record({
  table: fc.nat(1),
  key: fc.constantFrom('a/x', 'a/y', 'a-b/x', 'a/', '/n', 'b/x', 'a/x-1'),
  value: fc.oneof({ weight: 3, arbitrary: fc.nat(9) }, fc.constant('remove' as const)),
});
const attempt = fc.record({
  writes: fc.array(write, { maxLength: 4 }),
  fails: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('commit' as const),
      attempts: fc.array(attempt, { minLength: 1, maxLength: 4 }),
      diskFull: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
  },
  fc.record({ type: fc.constant('rehearse' as const), attempt }),
  fc.record({ type: fc.constant('restart' as const) }),
  fc.record({ type: fc.constant('idle' as const) }),
);

/** What the store should hold: for every revision ever kept, all objects as `table key` → `revision value`. */
type Snapshot = ReadonlyMap<string, string>;

const thing = (key: string, value: number) => ({
  kind: 'Thing',
  apiVersion: 'v1',
  metadata: { name: key },
  value,
});

class Refused extends Error {}

function perform(transaction: Transaction, { writes, fails }: Attempt): void {
  for (const { table, key, value } of writes) {
    const name = tables[table] ?? '';
    if (value === 'remove') transaction.remove(name, key);
    else {
      const stored = transaction.put(name, key, thing(key, value));
      expect(transaction.get(name, key)).toBe(stored);
    }
  }
  if (fails) throw new Refused('on purpose');
}

/** The same on the model; answers every state on the way. */
function foresee(start: Snapshot, revision: number, { writes }: Attempt): readonly Snapshot[] {
  const states: Snapshot[] = [];
  let current = start;
  for (const { table, key, value } of writes) {
    const place = `${tables[table]} ${key}`;
    if (value === 'remove' && !current.has(place)) continue;
    const next = new Map(current);
    if (value === 'remove') next.delete(place);
    else next.set(place, `${revision + states.length + 1} ${value}`);
    current = next;
    states.push(current);
  }
  return states;
}

const shown = (stored: Stored): string => `${stored.revision} ${JSON.stringify(stored.object['value'])}`;

function held(store: Store): Snapshot {
  const all = new Map<string, string>();
  for (const table of tables) {
    for (const stored of store.table(table).range(undefined))
      all.set(`${table} ${stored.key}`, shown(stored));
  }
  return all;
}

/** The present with the past laid over it. */
function heldAt(store: Store, revision: number): Snapshot {
  const all = new Map(held(store));
  for (const table of tables) {
    for (const [key, stored] of store.history.statesAt(table, revision)) {
      if (stored === undefined) all.delete(`${table} ${key}`);
      else all.set(`${table} ${key}`, shown(stored));
    }
  }
  return all;
}

const sorted = (snapshot: Snapshot): readonly (readonly [string, string])[] =>
  [...snapshot].toSorted(([left], [right]) => (left < right ? -1 : 1));

class Bench {
  readonly clock: ManualClock = manualClock(1_000_000);
  readonly #memory = memoryJournal();
  readonly #snapshots = new Map<number, Snapshot>([[0, new Map()]]);
  readonly heard: StoredChange[] = [];
  #full = false;
  #due: (() => void)[] = [];
  store = this.#open();

  get #journal(): Journal {
    const append: Journal['append'] = (rows, gone) => {
      if (this.#full) throw new Error('no space left on device');
      this.#memory.append(rows, gone);
    };
    return { ...this.#memory, append };
  }

  #open(): Store {
    const tasks = { soon: (task: () => void): void => void this.#due.push(task) };
    const store = new Store({ journal: this.#journal, clock: this.clock, tasks, limits });
    store.subscribe((changes) => void this.heard.push(...changes));
    return store;
  }

  #run(): void {
    const due = this.#due;
    this.#due = [];
    for (const task of due) task();
  }

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case 'commit':
        return this.#commit(step.attempts, step.diskFull);
      case 'rehearse':
        return this.#rehearse(step.attempt);
      case 'restart':
        this.store.close();
        this.store = this.#open();
        return;
      case 'idle':
        this.clock.advance(seconds(2));
    }
  }

  async #commit(attempts: readonly Attempt[], diskFull: boolean): Promise<void> {
    const { revision } = this.store;
    const heard = this.heard.length;
    const outcomes = attempts.map((each) =>
      this.store
        .transact((transaction) => perform(transaction, each))
        .then(
          () => 'kept',
          (error: unknown) => (error instanceof Refused ? 'refused' : 'lost'),
        ),
    );
    this.#full = diskFull;
    this.#run();
    this.#full = false;
    const foreseen: Snapshot[] = [];
    for (const each of attempts.filter(({ fails }) => !fails)) {
      const before = foreseen.at(-1) ?? this.current;
      foreseen.push(...foresee(before, revision + foreseen.length, each));
    }
    const lost = diskFull && foreseen.length > 0;
    expect(await Promise.all(outcomes)).toEqual(
      attempts.map(({ fails }) => (fails ? 'refused' : lost ? 'lost' : 'kept')),
    );
    if (lost) expect(this.heard.length).toBe(heard);
    else foreseen.forEach((each, at) => this.#snapshots.set(revision + at + 1, each));
  }

  #rehearse(attempt: Attempt): void {
    const heard = this.heard.length;
    const act = (): void => this.store.rehearse((transaction) => perform(transaction, attempt));
    if (attempt.fails) expect(act).toThrow(Refused);
    else act();
    expect(this.heard.length).toBe(heard);
  }

  get newest(): number {
    return Math.max(...this.#snapshots.keys());
  }

  get current(): Snapshot {
    return this.at(this.newest);
  }

  at(revision: number): Snapshot {
    return this.#snapshots.get(revision) ?? new Map();
  }
}

test('after any calls the store has what was committed, now and at every revision in its history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const bench = new Bench();
      for (const each of steps) {
        await bench.take(each);
        const { store } = bench;
        expect(store.revision).toBe(bench.newest);
        expect(sorted(held(store))).toEqual(sorted(bench.current));
        for (let revision = store.history.compacted; revision <= store.revision; revision += 1)
          expect(sorted(heldAt(store, revision))).toEqual(sorted(bench.at(revision)));
        for (const name of tables) {
          const keys = [...store.table(name).range(undefined)].map(({ key }) => key);
          expect(keys).toEqual(keys.toSorted());
          const inA = keys.filter((key) => key.startsWith('a/'));
          expect([...store.table(name).range('a')].map(({ key }) => key)).toEqual(inA);
          expect(store.table(name).count('a')).toBe(inA.length);
          expect(store.table(name).size).toBe(keys.length);
        }
      }
      const revisions = bench.heard.map(({ after }) => after.revision);
      expect(revisions).toEqual(Array.from({ length: bench.newest }, (_, at) => at + 1));
    }),
    { numRuns: 120 },
  );
});

test('history keeps what the limits demand and forgets from the old end', async () => {
  const clock = manualClock(1_000_000);
  const store = new Store({
    journal: memoryJournal(),
    clock,
    tasks: { soon: (task) => queueMicrotask(task) },
    limits: { age: seconds(10), atLeast: 3, atMost: 6, bytes: 1_000_000 },
  });
  const put = (): Promise<unknown> => store.transact((each) => each.put('/pods', 'a/x', thing('a/x', 1)));
  for (let count = 0; count < 5; count += 1) await put();
  expect(store.history.compacted).toBe(0);
  await put();
  await put();
  expect(store.history.compacted).toBe(1);
  clock.advance(seconds(11));
  await put();
  expect(store.history.compacted).toBe(5);
  store.beginHistory();
  expect(store.history.compacted).toBe(8);
  expect(store.table('/pods').get('a/x')?.revision).toBe(8);
});

test('a store is bounded by the bytes of its history', async () => {
  const limit = 10_000;
  const store = new Store({
    journal: memoryJournal(),
    clock: manualClock(0),
    tasks: { soon: (task) => queueMicrotask(task) },
    limits: { age: seconds(1000), atLeast: 100, atMost: 1000, bytes: limit },
  });
  const text = 'x'.repeat(900);
  for (let count = 0; count < 50; count += 1)
    await store.transact((each) => each.put('/pods', 'a/x', { ...thing('a/x', 1), text }));
  expect(store.revision - store.history.compacted).toBeLessThanOrEqual(limit / 900);
  expect(store.revision - store.history.compacted).toBeGreaterThan(5);
});

const microtasks = { soon: (task: () => void) => queueMicrotask(task) };

test('history expires also without writes', async () => {
  const clock = manualClock(1_000_000);
  const some = { age: seconds(600), atLeast: 3, atMost: 100, bytes: 1_000_000 };
  const store = new Store({ journal: memoryJournal(), clock, tasks: microtasks, limits: some });
  for (let count = 0; count < 20; count += 1)
    await store.transact((each) => each.put('/pods', 'a/x', thing('a/x', count)));
  clock.advance(seconds(5));
  expect(store.history.compacted).toBe(0);
  clock.advance(seconds(600));
  expect(store.revision - store.history.compacted).toBe(3);
});

test('a store that is never idle keeps its journal small', async () => {
  const journal = memoryJournal();
  const some = { ...limits, garbage: 100 };
  const store = new Store({ journal, clock: manualClock(0), tasks: microtasks, limits: some });
  for (let count = 0; count < 6000; count += 1)
    await store.transact((each) => each.put('/pods', 'a/x', thing('a/x', count)));
  expect([...journal.load().rows].length).toBeLessThan(130);
  const again = new Store({ journal, clock: manualClock(0), tasks: microtasks, limits });
  expect(again.revision).toBe(6000);
  expect(again.table('/pods').get('a/x')?.object['value']).toBe(5999);
});

test('closing commits what still waits', async () => {
  const journal = memoryJournal();
  const never = { soon: (): void => undefined };
  const store = new Store({ journal, clock: manualClock(0), tasks: never });
  const waiting = store.transact((each) => each.put('/pods', 'a/x', thing('a/x', 7)));
  store.close();
  expect((await waiting).revision).toBe(1);
  const again = new Store({ journal, clock: manualClock(0), tasks: never });
  expect(again.table('/pods').get('a/x')?.object['value']).toBe(7);
});

test('a rehearsal shows the object as it would be, with no new revision', async () => {
  const tasks = { soon: (task: () => void) => queueMicrotask(task) };
  const store = new Store({ journal: memoryJournal(), clock: manualClock(0), tasks });
  await store.transact((each) => each.put('/pods', 'a/x', thing('a/x', 1)));
  const [changed, made] = store.rehearse((each) => {
    expect(each.rehearsal).toBe(true);
    return [each.put('/pods', 'a/x', thing('a/x', 2)), each.put('/pods', 'a/y', thing('a/y', 3))];
  });
  expect(changed?.object).toMatchObject({ value: 2, metadata: { resourceVersion: '1' } });
  expect(made?.object['metadata']).toEqual({ name: 'a/y' });
  expect(store.table('/pods').get('a/y')).toBeUndefined();
  expect(store.table('/pods').get('a/x')?.object['value']).toBe(1);
});

test('a removed object leaves its last state at the revision of its removal', async () => {
  const tasks = { soon: (task: () => void) => queueMicrotask(task) };
  const store = new Store({ journal: memoryJournal(), clock: manualClock(0), tasks });
  await store.transact((each) => each.put('/pods', 'a/x', thing('a/x', 1)));
  const gone = await store.transact((each) => each.remove('/pods', 'a/x', thing('a/x', 5)));
  expect(gone?.object).toMatchObject({ value: 5, metadata: { resourceVersion: '2' } });
  expect(await store.transact((each) => each.remove('/pods', 'a/x'))).toBeUndefined();
  expect(store.revision).toBe(2);
});
