import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { millis } from '#base/time.ts';
import { shardOf } from '#loop/shards/shard.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { labelsOf, type KubeObject } from '#kube/object.ts';
import {
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  openGameWorld,
  templates,
  type GameWorld,
  type Replica,
} from '../support/game-world.ts';
import { killedProcess, type How, type KilledProcess } from '../support/killed-process.ts';

const hook = { hook: { templateName: 'age' } };
const spec: JsonObject = {
  replicas: 2,
  updateStrategy: {
    type: 'InplaceUpdate',
    maxUnavailable: 1,
    canary: { steps: [{ partition: 1 }, hook, { pause: { duration: 1 } }] },
  },
  preInplaceUpdateStrategy: hook,
};
/** One in each of two shards. */
const names = ['g', 'i'];

/** Two replicas, of which the first dies at a write; then another one is started. */
class Replicas {
  readonly #world: GameWorld;
  readonly #all: Replica[] = [];
  #killedProcess: KilledProcess;
  #started = 0;
  deaths = 0;

  constructor(world: GameWorld, killed: KilledProcess) {
    this.#world = world;
    this.#killedProcess = killed;
    this.start((direct) => killed.around(direct));
    this.start();
  }

  start(around?: Parameters<GameWorld['replica']>[0]['around']): void {
    const identity = `replica-${this.#started++}`;
    this.#all.push(this.#world.replica({ identity, shards: 2, ...(around && { around }) }));
  }

  async until(isTrue: () => boolean | Promise<boolean>, most = 60): Promise<void> {
    for (let passed = 0; ; passed += 0.5) {
      await this.#world.settle();
      const held = this.#all.flatMap((each) => each.held());
      expect(new Set(held).size, 'no shard is in two hands').toBe(held.length);
      if (this.#killedProcess.isDead) {
        this.deaths += 1;
        this.#killedProcess = killedProcess(Infinity, 'after');
        this.start();
      }
      if (await isTrue()) return;
      expect(passed, 'seconds').toBeLessThan(most);
      this.#world.clock.advance(millis(500));
    }
  }

  /** Both shards are held, each by another replica. */
  areBalanced(): boolean {
    const held = this.#all.map((each) => each.held()).filter((each) => each.length > 0);
    return held.length === 2 && held.flat().length === 2;
  }
}

const areComplete = async (world: GameWorld): Promise<boolean> =>
  (await Promise.all(names.map((name) => world.workload(name)))).every(isComplete);

const podsOf = (world: GameWorld, name: string): readonly KubeObject[] =>
  world.allPods().filter((pod) => labelsOf(pod)['app'] === name);
const imagesOf = (world: GameWorld, name: string): readonly (string | undefined)[] =>
  podsOf(world, name).map((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image'));

/** Both workloads are made and released. Returns how many replicas died. */
async function live(at: number, how: How): Promise<number> {
  await using world = await openGameWorld();
  const replicas = new Replicas(world, killedProcess(at, how));
  await replicas.until(() => replicas.areBalanced());
  await make(world, templates, hookTemplate());
  for (const name of names) await make(world, gameDeployments, gameDeployment(spec, name));
  await replicas.until(() => areComplete(world));
  for (const name of names) await world.patch(image('2'), name);
  await replicas.until(() => areComplete(world));
  await replicas.until(() => replicas.areBalanced());
  expect(world.observer.complaints).toEqual([]);
  for (const name of names) expect(imagesOf(world, name)).toEqual(['app:2', 'app:2']);
  // Before each pod, and at the step: as many runs as without any death, and each was measured once.
  expect(runsOf(world)).toEqual(undisturbed);
  // A call whose result was not written when its replica died is made again, with the same key.
  const repeated = [...world.calls.values()].filter((count) => count > 1);
  expect(repeated.every((count) => count <= 1 + replicas.deaths)).toBe(true);
  if (replicas.deaths === 0) expect(repeated).toEqual([]);
  return replicas.deaths;
}

const runsOf = (world: GameWorld): readonly string[] =>
  world
    .runs()
    .map((run) => {
      const labels = labelsOf(run);
      const measured = listAt(run, 'status', 'metricResults')
        .map((each) => textAt(each, 'phase'))
        .join();
      return [
        labels['boathook.dev/workload-kind'],
        labels['boathook.dev/workload'],
        textAt(run, 'status', 'phase'),
        measured,
      ].join(' ');
    })
    .toSorted();

const undisturbed = ['GameDeployment g Successful Successful', 'GameDeployment i Successful Successful'];

test('the two workloads are in two shards', () => {
  expect(names.map((name) => shardOf(`default/${name}`, 2))).toEqual([0, 1]);
});

test.for([
  { how: 'after', which: 'any', step: 1 },
  { how: 'before', which: 'every third', step: 3 },
] as const)(
  'one of two replicas is killed $how $which write: the other one goes on, and nothing is done twice',
  { timeout: 240_000 },
  async ({ how, step }) => {
    let write = 1;
    while ((await live(write, how)) === 1) write += step;
    expect(write).toBeGreaterThan(15);
  },
);
