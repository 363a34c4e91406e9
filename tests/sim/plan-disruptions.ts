import { objectAt, without, type JsonObject } from '#base/json.ts';
import { seededRandom, type Random } from '#base/random.ts';
import { below, byTime, pick } from './choice.ts';
import { forceAnnotation } from './judges/force-judge.ts';
import type { FaultPlan } from './plan-faults.ts';
import type { Happening, HappeningPlan } from './plan-happenings.ts';
import { withMoreFaults } from './plan-more-faults.ts';
import type { SubjectPlan } from './plan-subjects.ts';
import { planUsual, type RoundPlan, type WorldPlan, type WorldSize } from './plan-world.ts';
import { templateOf } from './subject-objects.ts';

/**
 * The world of a seed with more that takes pods away: workloads with OnDelete, with claims and with hooks that hold
 * their deletion, users who evict pods and delete claims, and nodes that are lost.
 */
export function planDisruptions(seed: number, size?: WorldSize): WorldPlan {
  const plan = planUsual(seed, size);
  const random = seededRandom(seed + 1_000_003);
  const subjects = plan.subjects.map((subject) => widened(random, subject));
  return withMoreFaults({
    ...plan,
    subjects,
    rounds: plan.rounds.map((round) => widenedRound(random, round, subjects)),
  });
}

function widened(random: Random, subject: SubjectPlan): SubjectPlan {
  if (subject.kind === 'HookRun') return subject;
  const { kind } = subject;
  const lots = [random.next(), random.next(), random.next(), random.next()] as const;
  let { spec } = subject;
  if (lots[0] < 0.25) spec = onDelete(spec);
  if (kind === 'GameStatefulSet' && lots[1] < 0.6) spec = withClaims(spec, pick(random, [1, 1, 2]));
  if (lots[2] < 0.25) spec = { ...spec, preDeleteUpdateStrategy: enforced };
  if (kind === 'GameStatefulSet' && lots[3] < 0.4) spec = forced(spec);
  return { ...subject, spec };
}

const enforced: JsonObject = { hook: { templateName: 'age' }, enforce: 'Always' };

/** Limits have no meaning then. */
const onDelete = (spec: JsonObject): JsonObject => ({
  ...spec,
  updateStrategy: { ...without(objectAt(spec, 'updateStrategy') ?? {}, 'rollingUpdate'), type: 'OnDelete' },
});

const withClaims = (spec: JsonObject, count: number): JsonObject => ({
  ...spec,
  volumeClaimTemplates: ['data', 'logs'].slice(0, count).map((name) => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })),
});

/** Pods that may be deleted by force when their node is lost. */
const forced = (spec: JsonObject): JsonObject => ({
  ...spec,
  template: {
    ...templateOf('1'),
    metadata: { labels: { app: 'g' }, annotations: { [forceAnnotation]: 'true' } },
  },
});

/** The time in which things happen, in seconds. */
const span = 40;

function widenedRound(random: Random, round: RoundPlan, subjects: readonly SubjectPlan[]): RoundPlan {
  const at = (): number => Math.floor(random.next() * span * 100) / 100;
  const added = subjects.flatMap(({ kind }, who): readonly Happening[] =>
    kind === 'HookRun'
      ? []
      : Array.from({ length: 1 + below(random, 3) }, () => ({ ...planMore(random), at: at(), who })),
  );
  const happenings = round.happenings.map((each) => allowed(each, subjects[each.who]));
  const losses = Array.from({ length: below(random, 3) }, () => ({ ...planLoss(random), at: at() }));
  return {
    happenings: [...happenings, ...added].toSorted(byTime),
    faults: [...round.faults, ...losses].toSorted(byTime),
  };
}

const planMore = (random: Random): HappeningPlan => {
  const lot = random.next();
  const which = below(random, 6);
  if (lot < 0.5) return { type: 'evict-pod', which };
  if (lot < 0.7) return { type: 'delete-claim', which, hasPod: random.next() < 0.6 };
  if (lot < 0.9) return { type: 'delete-pod', which };
  if (lot < 0.94) return { type: 'break-workload-glass', isReadable: random.next() < 0.6 };
  return { type: 'delete', policy: pick(random, ['Background', 'Foreground']) };
};

const planLoss = (random: Random): FaultPlan => ({
  type: 'lose-node',
  node: below(random, 3),
  evictAfter: 1 + below(random, 8),
  isRemoved: random.next() < 0.4,
});

/** With OnDelete a GameStatefulSet has no limits that a user could change. */
function allowed(each: Happening, subject: SubjectPlan | undefined): Happening {
  const isOnDelete = objectAt(subject?.spec, 'updateStrategy')?.['type'] === 'OnDelete';
  if (each.type !== 'limits' || !isOnDelete || subject?.kind !== 'GameStatefulSet') return each;
  return { type: 'delete-pod', which: 0, at: each.at, who: each.who };
}
