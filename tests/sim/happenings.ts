import type { JsonObject } from '#base/json.ts';
import { seededRandom, type Random } from '#base/random.ts';
import { hookFields, walks } from '../support/stormy-releases.ts';

/** What users, hook services and nodes do to one release. */
export type Happening = { readonly at: number } & (
  | { readonly type: 'image'; readonly tag: number }
  | { readonly type: 'replicas'; readonly count: number }
  | { readonly type: 'steps'; readonly walk: number }
  | { readonly type: 'delete'; readonly which: number }
  | { readonly type: 'paused'; readonly isPaused: boolean }
  | { readonly type: 'hooks'; readonly answer: HookMood }
);

export type HookMood = 'good' | 'bad' | 'none' | 'broken';

/** One release and what happens to it. */
export type HistoryPlan = { readonly spec: JsonObject; readonly happenings: readonly Happening[] };

/** What happens to the controllers of all releases of a world. */
export type WorldFault = { readonly at: number } & (
  | { readonly type: 'die'; readonly writes: number; readonly how: 'before' | 'after' }
  | { readonly type: 'hold-news'; readonly seconds: number }
  | { readonly type: 'lose-watches' }
  | { readonly type: 'storm'; readonly seconds: number; readonly share: number }
);

/** Some releases that share a control plane. */
export type WorldPlan = {
  readonly seed: number;
  readonly histories: readonly HistoryPlan[];
  readonly faults: readonly WorldFault[];
};

/** The time in which things happen, in seconds. */
const span = 60;

/** The plan of a seed. */
export function planWorld(seed: number, size: number): WorldPlan {
  const random = seededRandom(seed);
  return {
    seed,
    histories: Array.from({ length: size }, () => planHistory(random)),
    faults: Array.from({ length: 2 + below(random, 5) }, () => planFault(random)),
  };
}

function planHistory(random: Random): HistoryPlan {
  const happenings = Array.from({ length: 3 + below(random, 9) }, () => planHappening(random));
  return { spec: planSpec(random), happenings: happenings.toSorted((left, right) => left.at - right.at) };
}

const planSpec = (random: Random): JsonObject => ({
  replicas: 5,
  minReadySeconds: pick(random, [0, 0, 2]),
  updateStrategy: {
    type: pick(random, ['InplaceUpdate', 'RollingUpdate', 'InplaceIfPossible']),
    maxUnavailable: pick(random, [1, 2, '25%']),
    maxSurge: pick(random, [0, 1, '50%']),
    inPlaceUpdateStrategy: { gracePeriodSeconds: pick(random, [0, 1]) },
    canary: { steps: pick(random, walks) },
  },
  ...pick<JsonObject>(random, Object.values(hookFields)),
});

function planHappening(random: Random): Happening {
  const at = random.next() * span;
  switch (below(random, 6)) {
    case 0:
      return { at, type: 'image', tag: 1 + below(random, 3) };
    case 1:
      return { at, type: 'replicas', count: below(random, 8) };
    case 2:
      return { at, type: 'steps', walk: below(random, walks.length) };
    case 3:
      return { at, type: 'delete', which: below(random, 7) };
    case 4:
      return { at, type: 'paused', isPaused: random.next() < 0.4 };
    default:
      return { at, type: 'hooks', answer: pick(random, ['good', 'bad', 'none', 'broken']) };
  }
}

function planFault(random: Random): WorldFault {
  const at = random.next() * span;
  switch (below(random, 4)) {
    case 0:
      return { at, type: 'die', writes: 1 + below(random, 40), how: pick(random, ['before', 'after']) };
    case 1:
      return { at, type: 'hold-news', seconds: 0.5 + random.next() * 8 };
    case 2:
      return { at, type: 'lose-watches' };
    default:
      return { at, type: 'storm', seconds: 1 + random.next() * 10, share: 0.05 + random.next() * 0.4 };
  }
}

const below = (random: Random, end: number): number => Math.floor(random.next() * end);
const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[below(random, values.length)] as Value;
