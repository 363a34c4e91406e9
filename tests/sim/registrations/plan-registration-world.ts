import { seededRandom, type Random } from '#base/random.ts';
import { below, pick } from '../choice.ts';
import { planMoreFaults, type MoreFault } from './plan-more-faults.ts';
import type { InstanceHookBehaviour } from './reconcile-hooks.ts';

/** What happens so many seconds after the start. */
export type RegistrationHappening = { readonly after: number } & (
  | { readonly type: 'create' | 'edit' | 'delete'; readonly instance: string; readonly value: number }
  | { readonly type: 'drop-child' | 'edit-child'; readonly instance: string }
  | { readonly type: 'behaviour'; readonly instance: string; readonly behaviour: InstanceHookBehaviour }
  | { readonly type: 'register'; readonly shape: RegistrationShape }
  | { readonly type: 'kill'; readonly writes: number; readonly how: 'before' | 'after' }
  | { readonly type: 'restart' }
  | { readonly type: 'fail-requests'; readonly seconds: number; readonly share: number }
  | { readonly type: 'lose-watches'; readonly isGone: boolean }
  | { readonly type: 'hold'; readonly plural: string; readonly seconds: number }
  | { readonly type: 'clock'; readonly seconds: number }
  | MoreFault
);

/** What the registration declares. */
export type RegistrationShape = {
  readonly image: string;
  readonly replicas: number;
  readonly hasService: boolean;
  readonly hasHook: boolean;
};

export type RegistrationWorldPlan = {
  readonly seed: number;
  readonly shape: RegistrationShape;
  readonly happenings: readonly RegistrationHappening[];
};

const names = ['one', 'two', 'three', 'four', 'five'] as const;
/** People and faults act in this time, in seconds. */
export const faultSeconds = 300;

export function planRegistrationWorld(seed: number): RegistrationWorldPlan {
  const random = seededRandom(seed * 6007 + 3);
  const count = 2 + below(random, 4);
  const instances = names.slice(0, count);
  const created = instances.map((instance) => ({
    after: below(random, 30),
    type: 'create' as const,
    instance,
    value: below(random, 100),
  }));
  const others = Array.from({ length: 4 + below(random, 14) }, () => happening(random, instances));
  const shape = shapeOf(random);
  return {
    seed,
    shape,
    happenings: [...created, ...others, ...planMoreFaults(seed, instances, faultSeconds)],
  };
}

const shapeOf = (random: Random): RegistrationShape => ({
  image: `app:${1 + below(random, 9)}`,
  replicas: 1 + below(random, 3),
  hasService: random.next() < 0.6,
  hasHook: random.next() < 0.8,
});

function happening(random: Random, instances: readonly string[]): RegistrationHappening {
  const after = below(random, faultSeconds);
  const instance = pick(random, instances);
  const value = below(random, 100);
  const choice = below(random, 13);
  return choice < 6
    ? deedOf(choice, { after, instance, value })
    : faultOf(random, choice, { after, instance });
}

type Deed = { readonly after: number; readonly instance: string; readonly value: number };

/** What people do. */
function deedOf(choice: number, { after, instance, value }: Deed): RegistrationHappening {
  switch (choice) {
    case 0:
      return { after, type: 'create', instance, value };
    case 1:
    case 2:
      return { after, type: 'edit', instance, value };
    case 3:
      return { after, type: 'delete', instance, value };
    case 4:
      return { after, type: 'drop-child', instance };
    default:
      return { after, type: 'edit-child', instance };
  }
}

function faultOf(
  random: Random,
  choice: number,
  { after, instance }: Pick<Deed, 'after' | 'instance'>,
): RegistrationHappening {
  const side = (): 'before' | 'after' => pick(random, ['before', 'after'] as const);
  switch (choice) {
    case 6:
      return {
        after,
        type: 'behaviour',
        instance,
        behaviour: pick(random, ['good', 'broken', 'none', 'slow'] as const),
      };
    case 7:
      return { after, type: 'register', shape: shapeOf(random) };
    case 8:
      return { after, type: 'kill', writes: 1 + below(random, 12), how: side() };
    case 9:
      return {
        after,
        type: 'fail-requests',
        seconds: 5 + below(random, 60),
        share: pick(random, [0.1, 0.4]),
      };
    case 10:
      return { after, type: 'lose-watches', isGone: random.next() < 0.5 };
    case 11:
      return { after, type: 'hold', plural: pick(random, held), seconds: 1 + below(random, 60) };
    default:
      return random.next() < 0.5
        ? { after, type: 'restart' }
        : { after, type: 'clock', seconds: (random.next() < 0.5 ? -1 : 1) * below(random, 3600) };
  }
}

/** Resources whose watches are late. */
const held = ['kuards', 'deployments', 'services', 'crdregistrations'];
