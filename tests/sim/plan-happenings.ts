import type { Random } from '#base/random.ts';
import type { ActVerb } from '#releases/model/act.ts';
import { below, pick } from './choice.ts';
import { walks, type SubjectKind } from './plan-subjects.ts';

/** How a hook service answers. */
export type HookMood = 'good' | 'bad' | 'none' | 'broken' | 'slow';

/** What users, hook services and nodes do to one subject. */
export type Happening = { readonly at: number; readonly who: number } & HappeningPlan;

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
  | { readonly type: 'stop-run' }
  | { readonly type: 'hooks'; readonly answer: HookMood };

const moods: readonly HookMood[] = ['good', 'bad', 'none', 'broken', 'slow'];

export const planHappening = (random: Random, kind: SubjectKind): HappeningPlan =>
  kind === 'HookRun' ? planRunHappening(random) : planReleaseHappening(random);

const planRunHappening = (random: Random): HappeningPlan =>
  random.next() < 0.12 ? { type: 'stop-run' } : { type: 'hooks', answer: pick(random, moods) };

/** More often what moves a release than what ends it. */
const kinds: readonly HappeningPlan['type'][] = [
  ...twice('image', 'replicas', 'steps', 'paused', 'hooks', 'delete-pod', 'hurt-pod'),
  ...twice('hooks', 'image', 'act', 'limits'),
  'break-glass',
  'touch',
  'env',
  'stop-run',
  'delete',
];

function planReleaseHappening(random: Random): HappeningPlan {
  const type = pick(random, kinds);
  switch (type) {
    case 'image':
      return { type, tag: 1 + below(random, 4) };
    case 'env':
      return { type, value: String(below(random, 3)) };
    case 'replicas':
      return { type, count: pick(random, [0, 1, 2, 3, 3, 4, 5, 6]) };
    case 'steps':
      return { type, walk: below(random, walks.length) };
    case 'limits':
      return {
        type,
        maxUnavailable: pick(random, [1, 2, '25%', '50%']),
        maxSurge: pick(random, [0, 1, '50%']),
      };
    case 'paused':
      return { type, isPaused: random.next() < 0.35 };
    case 'act':
      return { type, verb: pick(random, ['promote', 'promote', 'retry', 'abort']) };
    case 'delete-pod':
      return { type, which: below(random, 6) };
    case 'hurt-pod':
      return { type, which: below(random, 6), how: random.next() < 0.7 ? 'crash' : 'fail' };
    case 'break-glass':
      return { type, which: below(random, 6), isReadable: random.next() < 0.8 };
    case 'delete':
      return { type, policy: pick(random, ['Background', 'Background', 'Foreground', 'Orphan']) };
    case 'hooks':
      return { type, answer: pick(random, moods) };
    case 'touch':
    case 'stop-run':
      return { type };
  }
}

function twice(...types: readonly HappeningPlan['type'][]): readonly HappeningPlan['type'][] {
  return [...types, ...types];
}
