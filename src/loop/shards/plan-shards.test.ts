import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignShards, planShards, type SeenShard } from './plan-shards.ts';

const shardsOf = (text: string): readonly SeenShard[] =>
  text.split('').map((letter) => ({
    holder: letter === '-' ? '' : letter.toLowerCase(),
    // A capital letter: its holder did not renew it.
    isFree: letter === '-' || letter !== letter.toLowerCase(),
  }));
const planOf = (me: string, replicas: string, text: string) =>
  planShards({ me, replicas: replicas.split(''), shards: shardsOf(text) });

test.for([
  { name: 'alone, a replica takes everything', me: 'a', replicas: 'a', shards: '----', take: [0, 1, 2, 3] },
  { name: 'two that start take half each', me: 'b', replicas: 'ab', shards: '----', take: [2, 3] },
  { name: 'of three shards one of two has two', me: 'b', replicas: 'ab', shards: '---', take: [2] },
  { name: 'what is expired is taken', me: 'b', replicas: 'b', shards: 'AAbb', take: [0, 1] },
  { name: 'what is held is not taken', me: 'b', replicas: 'ab', shards: 'aaaa', take: [] },
  {
    name: 'a new replica gets what the old one gives up',
    me: 'a',
    replicas: 'ab',
    shards: 'aaaa',
    giveUp: [2, 3],
  },
  { name: 'given up, it is taken', me: 'b', replicas: 'ab', shards: 'aa--', take: [2, 3] },
  { name: 'and not taken back', me: 'a', replicas: 'ab', shards: 'aa--' },
  { name: 'one more or less moves nothing', me: 'a', replicas: 'ab', shards: 'aab' },
  { name: 'more replicas than shards: some wait', me: 'c', replicas: 'abc', shards: 'ab' },
  {
    name: 'nobody is left without when there is enough',
    me: 'a',
    replicas: 'abc',
    shards: 'aabb',
    giveUp: [],
  },
  { name: 'the one with the larger name gives', me: 'b', replicas: 'abc', shards: 'aabb', giveUp: [3] },
  {
    name: 'a Lease of an earlier process of the same name is taken',
    me: 'a',
    replicas: 'a',
    shards: 'a-',
    take: [0, 1],
  },
  {
    name: 'one that leaves keeps its shards until they are released',
    me: 'b',
    replicas: 'b',
    shards: 'ab',
    take: [1],
  },
])('$name', ({ me, replicas, shards, take = [], giveUp = [] }) => {
  const plan = planOf(me, replicas, shards);
  // A shard that is its own already is taken only by a process that does not lead it yet.
  const own = shardsOf(shards).flatMap(({ holder, isFree }, index) =>
    holder === me && !isFree ? [index] : [],
  );
  const isOwn = (index: number): boolean => own.includes(index) && !take.includes(index);
  expect({ take: plan.take.filter((index) => !isOwn(index)), giveUp: plan.giveUp }).toEqual({ take, giveUp });
});

type State = { holders: string[]; alive: Set<string> };
const names = ['a', 'b', 'c', 'd', 'e'];
const seenIn = ({ holders, alive }: State): readonly SeenShard[] =>
  holders.map((holder) => ({ holder, isFree: !alive.has(holder) }));

/** Each replica in turn looks and does what its plan says. Returns whether anything changed. */
function round(state: State, order: readonly string[]): boolean {
  let isChanged = false;
  for (const me of order.filter((each) => state.alive.has(each))) {
    const { take, giveUp } = planShards({ me, replicas: [...state.alive], shards: seenIn(state) });
    for (const index of [...take, ...giveUp]) {
      const after = take.includes(index) ? me : '';
      const before = state.holders[index] ?? '';
      expect(before === me || !state.alive.has(before), `${me} takes shard ${index} of ${before}`).toBe(true);
      isChanged ||= before !== after;
      state.holders[index] = after;
    }
  }
  return isChanged;
}

const changes = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    rounds: fc.nat({ max: 2 }),
    order: fc.shuffledSubarray(names, { minLength: 5 }),
  }),
  { maxLength: 12 },
);

test('whoever comes and goes, in the end all shards are held, each by one, and nobody has two more than another', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16 }), changes, (count, story) => {
      const state: State = { holders: Array.from({ length: count }, () => ''), alive: new Set(['a']) };
      for (const { name, rounds, order } of story) {
        // Toggled: a replica comes, or crashes and its Leases expire. One is always there.
        if (!state.alive.delete(name) || state.alive.size === 0) state.alive.add(name);
        for (let i = 0; i < rounds; i += 1) round(state, order);
      }
      let rounds = 0;
      while (round(state, names)) expect((rounds += 1)).toBeLessThan(4);
      const sizes = [...state.alive].map((name) => state.holders.filter((each) => each === name).length);
      expect(sizes.reduce((sum, each) => sum + each, 0)).toBe(count);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500 },
  );
});

test('when a replica comes, nothing moves but what it gets', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 4 }), (count, replicas) => {
      const state: State = {
        holders: Array.from({ length: count }, () => ''),
        alive: new Set(names.slice(0, replicas)),
      };
      while (round(state, names));
      const before = [...state.holders];
      state.alive.add('z');
      const after = assignShards({ replicas: [...state.alive], shards: seenIn(state) });
      for (const [index, holder] of after.entries()) if (holder !== 'z') expect(holder).toBe(before[index]);
    }),
  );
});
