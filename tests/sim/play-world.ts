import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { later, seconds } from '#base/time.ts';
import { hookTemplates } from '#hooks/kinds/resources.ts';
import { isDeleting, namespaceOf, nameOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { pods } from '#loop/owned/resources.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { gameDeployment, hookTemplate, image, isComplete } from '../support/game-world.ts';
import { mortal } from '../support/mortal.ts';
import { continued, walks } from '../support/stormy-releases.ts';
import type { Happening, WorldFault, WorldPlan } from './happenings.ts';
import { SimCluster } from './sim-cluster.ts';

const never = new AbortController().signal;
const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };

export type Played = {
  readonly complaints: readonly string[];
  readonly judged: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly trace: readonly string[];
};

/** Plays a world to its end: things happen, faults cease, and every release must come to the declared state. */
export async function playWorld(plan: WorldPlan): Promise<Played> {
  const cluster = new SimCluster(plan.seed);
  await cluster.open();
  const world = new World(cluster, plan);
  const complaints: string[] = [];
  try {
    await world.begin();
    await world.play();
    await world.clearUp();
    complaints.push(...world.unfinished(), ...cluster.observer.complaints, ...cluster.problems.map(String));
  } finally {
    await cluster.close();
  }
  const { judged } = cluster.observer;
  return { complaints, judged, faults: { ...world.faults, ...cluster.storm.count }, trace: cluster.trace };
}

class World {
  readonly faults: Record<string, number> = {};
  readonly #cluster: SimCluster;
  readonly #plan: WorldPlan;
  readonly #spaces: readonly string[];

  constructor(cluster: SimCluster, plan: WorldPlan) {
    this.#cluster = cluster;
    this.#plan = plan;
    this.#spaces = plan.histories.map((_, number) => `h${number}`);
  }

  async begin(): Promise<void> {
    for (const [number, { spec }] of this.#plan.histories.entries()) {
      const namespace = `h${number}`;
      await this.#create(namespaces, { metadata: { name: namespace } });
      await this.#create(hookTemplates, placed(templateOf(namespace), namespace));
      await this.#create(gameDeployments, placed(gameDeployment(spec), namespace));
    }
    await this.#untilAll(120);
    for (const namespace of this.#spaces) await this.#patch(namespace, image('2'));
  }

  async play(): Promise<void> {
    const { time } = this.#cluster;
    const began = time.clock.now();
    const events = [
      ...this.#plan.faults.map((fault) => ({ at: fault.at, act: () => this.#fault(fault) })),
      ...this.#plan.histories.flatMap(({ happenings }, number) =>
        happenings.map((each) => ({ at: each.at, act: () => this.#happen(`h${number}`, each) })),
      ),
    ];
    for (const { at, act } of events.toSorted((left, right) => left.at - right.at)) {
      await this.#cluster.pass(later(began, seconds(at)));
      await act();
    }
  }

  /** Faults cease, hooks pass, and users let releases continue. */
  async clearUp(): Promise<void> {
    const cluster = this.#cluster;
    cluster.holdNews(false);
    cluster.storm.calm();
    for (const namespace of this.#spaces) cluster.moods.set(namespace, 'good');
    await cluster.restart();
    for (const namespace of this.#spaces) await this.#patch(namespace, { spec: { replicas: 5 } });
    for (let round = 0; round < 60 && this.unfinished().length > 0; round += 1) {
      await this.#pass(4);
      for (const namespace of this.#spaces)
        if (!this.#isDone(namespace)) await this.#patch(namespace, continued(this.#workload(namespace)));
    }
  }

  /** Releases that are not what they should be at the end. */
  unfinished(): readonly string[] {
    return this.#spaces
      .filter((namespace) => !this.#isDone(namespace))
      .map(
        (namespace) =>
          `${namespace} never came to the declared state: ${textAt(this.#workload(namespace), 'status', 'message') ?? ''}`,
      );
  }

  #isDone(namespace: string): boolean {
    const workload = this.#workload(namespace);
    const wanted = textAt(listAt(workload, 'spec', 'template', 'spec', 'containers')[0], 'image');
    const images = this.#pods(namespace).map((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image'));
    return (
      isComplete(workload) &&
      numberAt(workload, 'status', 'updatedReadyReplicas') === 5 &&
      images.length === 5 &&
      images.every((each) => each === wanted)
    );
  }

  async #happen(namespace: string, happening: Happening): Promise<void> {
    switch (happening.type) {
      case 'image':
        return this.#patch(namespace, image(String(happening.tag)));
      case 'replicas':
        return this.#patch(namespace, { spec: { replicas: happening.count } });
      case 'steps':
        return this.#patch(namespace, {
          spec: { updateStrategy: { canary: { steps: walks[happening.walk] ?? [] } } },
        });
      case 'paused':
        return this.#patch(namespace, { spec: { updateStrategy: { paused: happening.isPaused } } });
      case 'hooks':
        this.#cluster.moods.set(namespace, happening.answer);
        return;
      case 'delete': {
        const pod = this.#pods(namespace)[happening.which];
        const { client, time } = this.#cluster;
        if (pod !== undefined) await time.until(client.remove(pods, { namespace, name: nameOf(pod) }, never));
      }
    }
  }

  async #fault(fault: WorldFault): Promise<void> {
    this.faults[fault.type] = (this.faults[fault.type] ?? 0) + 1;
    const cluster = this.#cluster;
    switch (fault.type) {
      case 'die':
        return cluster.restart(mortal(fault.writes, fault.how));
      case 'hold-news':
        cluster.holdNews(true);
        await this.#pass(fault.seconds);
        cluster.holdNews(false);
        return;
      case 'lose-watches':
        cluster.loseWatches();
        return;
      case 'storm':
        cluster.rage(fault.seconds, fault.share);
    }
  }

  async #untilAll(most: number): Promise<void> {
    const isReady = (namespace: string): boolean => isComplete(this.#workload(namespace));
    for (let passed = 0; passed < most && !this.#spaces.every(isReady); passed += 1) await this.#pass(1);
  }

  #pass(length: number): Promise<void> {
    return this.#cluster.pass(later(this.#cluster.time.clock.now(), seconds(length)));
  }

  async #create(resource: Resource, object: JsonObject): Promise<void> {
    const { client, time } = this.#cluster;
    const outcome = await time.until(client.create(resource, object, never));
    if (outcome.type !== 'ok') throw new Error(outcome.message);
  }

  async #patch(namespace: string, body: JsonObject): Promise<void> {
    const { client, time } = this.#cluster;
    const patch = { type: 'merge', body } as const;
    const outcome = await time.until(client.patch(gameDeployments, { namespace, name: 'g' }, patch, never));
    if (outcome.type !== 'ok') throw new Error(outcome.message);
  }

  #workload(namespace: string): KubeObject {
    const found = this.#cluster
      .stored('tkex.tencent.com/gamedeployments')
      .find((each) => namespaceOf(each) === namespace);
    if (found === undefined) throw new Error(`${namespace} has no workload`);
    return found;
  }

  #pods(namespace: string): readonly KubeObject[] {
    return this.#cluster.stored('/pods').filter((pod) => namespaceOf(pod) === namespace && !isDeleting(pod));
  }
}

const placed = (object: JsonObject, namespace: string): JsonObject => ({
  ...object,
  metadata: { ...(object['metadata'] as JsonObject), namespace },
});

const templateOf = (namespace: string): JsonObject =>
  hookTemplate('age', {
    provider: { web: { url: `http://hooks.example/${namespace}`, jsonPath: '{$.age}', timeoutSeconds: 2 } },
  });
