import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { revisionLabel } from '#releases/model/well-known.ts';
import { labelsOf, type KubeObject } from '#kube/object.ts';
import {
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';
import { killedProcess } from '../support/killed-process.ts';

const hook = { hook: { templateName: 'age' } };
const steps = [{ partition: '50%' }, hook, { pause: { duration: 1 } }];

const stories: readonly { readonly name: string; readonly spec: JsonObject }[] = [
  {
    name: 'in place, asked before each pod',
    spec: {
      replicas: 3,
      updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 2, canary: { steps } },
      preDeleteUpdateStrategy: hook,
    },
  },
  {
    name: 'by new pods, with surge and hooks that nobody can go round',
    spec: {
      replicas: 3,
      updateStrategy: { type: 'RollingUpdate', maxUnavailable: 1, maxSurge: 1, canary: { steps } },
      preDeleteUpdateStrategy: { ...hook, enforce: 'Always' },
    },
  },
  {
    name: 'in place with a grace period and hooks before and after',
    spec: {
      replicas: 2,
      updateStrategy: {
        type: 'InplaceUpdate',
        maxUnavailable: '50%',
        inPlaceUpdateStrategy: { gracePeriodSeconds: 1 },
        canary: { steps: [{ partition: 1 }, hook] },
      },
      preInplaceUpdateStrategy: hook,
      postInplaceUpdateStrategy: hook,
    },
  },
];

/** Controllers one after another, each of which dies at a write; the write has happened, and nobody heard of it. */
class Lives {
  readonly #world: GameWorld;
  readonly #ages: Iterator<number>;
  #current = killedProcess(Infinity, 'after');
  deaths = 0;

  constructor(world: GameWorld, ages: Iterable<number>) {
    this.#world = world;
    this.#ages = ages[Symbol.iterator]();
  }

  async next(): Promise<void> {
    const next = this.#ages.next();
    this.#current = killedProcess(next.done === true ? Infinity : next.value, 'after');
    await this.#world.control({ around: (direct) => this.#current.around(direct) });
  }

  async replace(): Promise<boolean> {
    if (!this.#current.isDead) return false;
    this.deaths += 1;
    await this.next();
    return true;
  }

  async until(isWanted: (workload: KubeObject) => boolean): Promise<void> {
    await this.#world.until(async (workload) => {
      await this.replace();
      return isWanted(workload);
    }, 120);
    // Whoever died last has left something to tidy up.
    do await this.#world.pass(0.5);
    while (await this.replace());
  }
}

/** A workload is made, released, made smaller and deleted. */
async function live(spec: JsonObject, ages: Iterable<number>): Promise<number> {
  await using world = await openGameWorld();
  const lives = new Lives(world, ages);
  await lives.next();
  await make(world, templates, hookTemplate());
  await make(world, gameDeployments, gameDeployment(spec));
  await lives.until(isComplete);
  await world.patch(image('2'));
  await lives.until(isComplete);
  expect(endOf(world)).toEqual({ revisions: 1, images: ['app:2'], runs: ['canary-step Successful'] });
  await world.patch({ spec: { replicas: 1 } });
  await lives.until((workload) => isComplete(workload) && world.pods().length === 1);
  await world.client.remove(gameDeployments, { namespace: 'default', name: 'g' }, never);
  for (let waits = 0; world.allPods().length > 0; waits += 1) {
    expect(waits).toBeLessThan(60);
    await world.pass(0.5);
    await lives.replace();
  }
  expect(world.observer.complaints).toEqual([]);
  return lives.deaths;
}

const endOf = (world: GameWorld) => ({
  revisions: new Set(world.pods().map((pod) => labelsOf(pod)[revisionLabel])).size,
  images: [...new Set(world.pods().map((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image')))],
  runs: world
    .runs()
    .map((run) => `${labelsOf(run)['boathook.dev/hook-point']} ${textAt(run, 'status', 'phase')}`),
});

test.for(stories)(
  'killed at any write, a release $name ends where it should and breaks no rule',
  { timeout: 120_000 },
  async ({ spec }) => {
    let write = 1;
    while ((await live(spec, [write])) === 1) write += 1;
    expect(write).toBeGreaterThan(35);
  },
);

function* every(writes: number): Generator<number> {
  for (;;) yield writes;
}

test.for(stories.flatMap((story) => [1, 2, 5].map((writes) => ({ ...story, writes }))))(
  'a release $name ends even if no controller lives for more than $writes writes',
  async ({ spec, writes }) => {
    expect(await live(spec, every(writes))).toBeGreaterThan(8);
  },
);
