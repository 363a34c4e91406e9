import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { millis } from '#base/time.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { nameOf } from '#kube/object.ts';
import {
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';
import { heldWatches } from '../support/held-watches.ts';
import { killedProcess } from '../support/killed-process.ts';
import { continued, hookFields, walks } from '../support/random-releases.ts';

const walkOf = (walk: number): readonly JsonObject[] => walks[walk] ?? [];

const answers = { good: { age: 20 }, bad: { age: 90 }, none: 'hang' } as const;

/** What can happen to a release. */
type Happening =
  | { readonly type: 'image'; readonly tag: number }
  | { readonly type: 'replicas'; readonly count: number }
  | { readonly type: 'steps'; readonly walk: number }
  | { readonly type: 'delete'; readonly which: number }
  | { readonly type: 'paused'; readonly isPaused: boolean }
  | { readonly type: 'hooks'; readonly age: keyof typeof answers }
  | { readonly type: 'die'; readonly writes: number; readonly how: 'before' | 'after' }
  | { readonly type: 'watches'; readonly isHeld: boolean }
  | { readonly type: 'time'; readonly seconds: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ type: fc.constant('image' as const), tag: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('replicas' as const), count: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ type: fc.constant('steps' as const), walk: fc.integer({ min: 0, max: walks.length - 1 }) }),
  fc.record({ type: fc.constant('delete' as const), which: fc.nat({ max: 6 }) }),
  fc.record({ type: fc.constant('paused' as const), isPaused: fc.boolean() }),
  fc.record({
    type: fc.constant('hooks' as const),
    age: fc.constantFrom('good' as const, 'bad' as const, 'none' as const),
  }),
  fc.record({
    type: fc.constant('die' as const),
    writes: fc.integer({ min: 1, max: 12 }),
    how: fc.constantFrom('before' as const, 'after' as const),
  }),
  fc.record({ type: fc.constant('watches' as const), isHeld: fc.boolean() }),
  fc.record({ type: fc.constant('time' as const), seconds: fc.integer({ min: 1, max: 8 }) }),
);

const settings = fc.record({
  type: fc.constantFrom('InplaceUpdate', 'RollingUpdate', 'InplaceIfPossible'),
  maxUnavailable: fc.constantFrom(1, 2, '25%'),
  maxSurge: fc.constantFrom(0, 1, '50%'),
  grace: fc.constantFrom(0, 1),
  minReadySeconds: fc.constantFrom(0, 0, 2),
  hooks: fc.constantFrom('none' as const, 'before deletion' as const, 'enforced' as const, 'around' as const),
  walk: fc.integer({ min: 0, max: walks.length - 1 }),
});
type Climate = typeof settings extends fc.Arbitrary<infer Value> ? Value : never;

const specOf = ({
  type,
  maxUnavailable,
  maxSurge,
  grace,
  minReadySeconds,
  hooks,
  walk,
}: Climate): JsonObject => ({
  replicas: 5,
  minReadySeconds,
  updateStrategy: {
    type,
    maxUnavailable,
    maxSurge,
    inPlaceUpdateStrategy: { gracePeriodSeconds: grace },
    canary: { steps: walkOf(walk) },
  },
  ...hookFields[hooks],
});

/** A release to which things happen. */
class ReleaseWithFaults {
  readonly #world: GameWorld;
  readonly #watches = heldWatches(['pods', 'hookruns']);
  #current = killedProcess(Infinity, 'after');
  #isHeld = false;

  constructor(world: GameWorld) {
    this.#world = world;
  }

  async start(current = killedProcess(Infinity, 'after')): Promise<void> {
    this.#current = current;
    await this.#world.control({ around: (direct) => current.around(this.#watches.around(direct)) });
  }

  async happen(happened: Happening): Promise<void> {
    const world = this.#world;
    switch (happened.type) {
      case 'image':
        await world.patch(image(String(happened.tag)));
        break;
      case 'replicas':
        await world.patch({ spec: { replicas: happened.count } });
        break;
      case 'steps':
        await world.patch({ spec: { updateStrategy: { canary: { steps: walkOf(happened.walk) } } } });
        break;
      case 'delete':
        for (const pod of world.pods().slice(happened.which, happened.which + 1))
          await world.deletePod(nameOf(pod));
        break;
      case 'paused':
        await world.patch({ spec: { updateStrategy: { paused: happened.isPaused } } });
        break;
      case 'hooks':
        world.answer(() => answers[happened.age]);
        break;
      case 'die':
        await this.start(killedProcess(happened.writes, happened.how));
        break;
      case 'watches':
        this.#hold(happened.isHeld);
        break;
      case 'time':
        await this.#pass(happened.seconds);
    }
    await this.settle();
  }

  async #pass(seconds: number): Promise<void> {
    for (let half = 0; half < seconds * 2; half += 1) {
      this.#world.clock.advance(millis(500));
      await this.settle();
    }
  }

  async settle(): Promise<void> {
    await this.#world.settle(!this.#isHeld && !this.#current.isDead);
    if (!this.#current.isDead) return;
    await this.start();
    await this.#world.settle(!this.#isHeld);
  }

  /** Hooks answer, people go on, nobody dies any more. */
  async endFaults(): Promise<void> {
    const world = this.#world;
    this.#hold(false);
    world.answer(() => ({ age: 20 }));
    await this.start();
    await world.settle();
    await world.patch({ spec: { replicas: 5 } });
    for (let rounds = 0; rounds < 40; rounds += 1) {
      await world.pass(4);
      const workload = await world.workload();
      if (isComplete(workload)) return;
      await world.patch(continued(workload));
    }
    throw new Error(`it never came to its end: ${JSON.stringify(await world.workload())}`);
  }

  #hold(isHeld: boolean): void {
    if (isHeld && !this.#isHeld) this.#watches.hold();
    if (!isHeld) this.#watches.release();
    this.#isHeld = isHeld;
  }
}

test(
  'whatever happens to a release, it breaks no rule and comes to its end',
  { timeout: 120_000 },
  async () => {
    const judged = { outOfService: 0, updated: 0, made: 0, consent: 0, paused: 0 };
    const lists = fc.array(happening, { minLength: 4, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(settings, lists, async (given, happenings) => {
        await using world = await openGameWorld();
        const release = new ReleaseWithFaults(world);
        await release.start();
        await make(world, templates, hookTemplate());
        await make(world, gameDeployments, gameDeployment(specOf(given)));
        await world.until(isComplete);
        await release.happen({ type: 'image', tag: 2 });
        for (const happened of happenings) await release.happen(happened);
        await release.endFaults();
        const workload = await world.workload();
        const wanted = textAt(listAt(workload, 'spec', 'template', 'spec', 'containers')[0], 'image');
        const images = world.pods().map((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image'));
        expect(images).toEqual(Array.from({ length: 5 }, () => wanted));
        expect(numberAt(workload, 'status', 'updatedReadyReplicas')).toBe(5);
        expect(world.observer.complaints).toEqual([]);
        for (const rule of Object.keys(judged) as (keyof typeof judged)[])
          judged[rule] += world.observer.judged[rule];
      }),
      { numRuns: Number(process.env['RANDOM_RUNS'] ?? 25), ...seedOf(process.env['RANDOM_SEED']) },
    );
    for (const count of Object.values(judged)) expect(count).toBeGreaterThan(0);
  },
);

const seedOf = (text: string | undefined): { readonly seed?: number } =>
  text === undefined ? {} : { seed: Number(text) };
