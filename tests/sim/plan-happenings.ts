import type { Random } from '#base/random.ts';
import type { ActVerb } from '#releases/model/act.ts';
import { below, pick } from './choice.ts';
import { walks, type SubjectKind } from './plan-subjects.ts';

/** How a hook service answers. */
export type HookBehaviour = 'good' | 'bad' | 'none' | 'broken' | 'slow';

/** What users, hook services and nodes do to one subject. */
export type Happening = {
  readonly at: number;
  readonly who: number;
  /** It does not happen at that time, but at a later write. */
  readonly meets?: MetWrite;
} & HappeningPlan;

/** The n-th write of a controller in the namespace from then on: something happens directly before or after it. */
export type MetWrite = { readonly writes: number; readonly how: 'before' | 'after' };

export type HappeningPlan =
  | { readonly type: 'image'; readonly tag: number }
  | { readonly type: 'env'; readonly value: string }
  | { readonly type: 'replicas'; readonly count: number }
  | { readonly type: 'steps'; readonly walk: number }
  | { readonly type: 'limits'; readonly maxUnavailable: number | string; readonly maxSurge: number | string }
  | { readonly type: 'paused'; readonly isPaused: boolean }
  | { readonly type: 'act'; readonly verb: ActVerb }
  | { readonly type: 'touch' }
  | { readonly type: 'delete-pod'; readonly which: number }
  | { readonly type: 'hurt-pod'; readonly which: number; readonly how: 'crash' | 'fail' }
  | { readonly type: 'break-glass'; readonly which: number; readonly isReadable: boolean }
  | { readonly type: 'delete'; readonly policy: 'Background' | 'Foreground' | 'Orphan' }
  | { readonly type: 'stop-run'; readonly verdict?: 'Failed' | 'Inconclusive' | 'Error' }
  | { readonly type: 'edit-run'; readonly count: number; readonly failureLimit: number }
  | { readonly type: 'replace-run' }
  | { readonly type: 'evict-pod'; readonly which: number }
  | { readonly type: 'delete-claim'; readonly which: number; readonly hasPod: boolean }
  | { readonly type: 'break-workload-glass'; readonly isReadable: boolean }
  | { readonly type: 'hooks'; readonly answer: HookBehaviour };

export const behaviours: readonly HookBehaviour[] = ['good', 'bad', 'none', 'broken', 'slow'];

export const planHappening = (random: Random, kind: SubjectKind): HappeningPlan =>
  kind === 'HookRun' ? planRunHappening(random) : planReleaseHappening(random);

const planRunHappening = (random: Random): HappeningPlan =>
  random.next() < 0.12 ? { type: 'stop-run' } : { type: 'hooks', answer: pick(random, behaviours) };

/** More often what moves a release than what ends it. */
const kinds: readonly UsualType[] = [
  ...twice('image', 'replicas', 'steps', 'paused', 'hooks', 'delete-pod', 'hurt-pod'),
  ...twice('hooks', 'image', 'act', 'limits', 'break-glass'),
  'touch',
  'env',
  'stop-run',
  'delete',
];

type UsualType = Exclude<
  HappeningPlan['type'],
  'evict-pod' | 'delete-claim' | 'break-workload-glass' | 'edit-run' | 'replace-run'
>;
const makers: { readonly [Type in UsualType]: (random: Random) => HappeningPlan } = {
  image: (random) => ({ type: 'image', tag: 1 + below(random, 4) }),
  env: (random) => ({ type: 'env', value: String(below(random, 3)) }),
  replicas: (random) => ({ type: 'replicas', count: pick(random, [0, 1, 2, 3, 3, 4, 5, 6]) }),
  steps: (random) => ({ type: 'steps', walk: below(random, walks.length) }),
  limits: (random) => ({
    type: 'limits',
    maxUnavailable: pick(random, [1, 2, '25%', '50%']),
    maxSurge: pick(random, [0, 1, '50%']),
  }),
  paused: (random) => ({ type: 'paused', isPaused: random.next() < 0.35 }),
  act: (random) => ({ type: 'act', verb: pick(random, ['promote', 'promote', 'retry', 'abort']) }),
  'delete-pod': (random) => ({ type: 'delete-pod', which: below(random, 6) }),
  'hurt-pod': (random) => ({
    type: 'hurt-pod',
    which: below(random, 6),
    how: random.next() < 0.7 ? 'crash' : 'fail',
  }),
  'break-glass': (random) => ({
    type: 'break-glass',
    which: below(random, 6),
    isReadable: random.next() < 0.7,
  }),
  delete: (random) => ({
    type: 'delete',
    policy: pick(random, ['Background', 'Background', 'Foreground', 'Orphan']),
  }),
  hooks: (random) => ({ type: 'hooks', answer: pick(random, behaviours) }),
  touch: () => ({ type: 'touch' }),
  'stop-run': () => ({ type: 'stop-run' }),
};

const planReleaseHappening = (random: Random): HappeningPlan => makers[pick(random, kinds)](random);

function twice(...types: readonly UsualType[]): readonly UsualType[] {
  return [...types, ...types];
}
