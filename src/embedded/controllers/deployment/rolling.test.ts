import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberAt, objectAt, type JsonObject } from '#base/json.ts';
import { formatTime, instant, type Instant } from '#base/time.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { podFromTemplate } from '#kube/workload/pod-from-template.ts';
import { decideReplicaSet, replicaSetStatus } from '#embedded/controllers/replicaset/decide.ts';
import { noon, workloadOf } from '#kube/workload/testing/objects.ts';
import { nameOf, uidOf, withMeta, type KubeObject } from '#kube/object.ts';
import { decideDeployment } from './decide.ts';
import { deploymentSpec } from './deployment-spec.ts';

/** A cluster of one deployment in which everything happens in any order, and news travel slowly. */
class World {
  deployment: KubeObject;
  readonly sets = new Map<string, KubeObject>();
  readonly pods = new Map<string, KubeObject>();
  now: Instant = noon;
  #count = 0;

  constructor(spec: JsonObject) {
    this.deployment = workloadOf('Deployment', 'd', {
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 1,
      ...spec,
    });
  }

  /** One pass of the deployment controller. */
  deploy(): boolean {
    const { actions, status } = decideDeployment(
      { deployment: this.deployment, sets: [...this.sets.values()], isRunning: () => false },
      this.now,
    );
    for (const action of actions) {
      const name = nameOf(action.set);
      if (action.type === 'delete') this.sets.delete(name);
      else if (action.type === 'update') this.sets.set(name, this.#bumped(action.set));
      else
        this.sets.set(
          name,
          withMeta(action.set, {
            uid: `uid-${name}`,
            generation: 1,
            creationTimestamp: formatTime(this.now),
          }),
        );
    }
    this.deployment = { ...this.deployment, status };
    return actions.length > 0;
  }

  #bumped(set: KubeObject): KubeObject {
    const generation = (numberAt(set, 'metadata', 'generation') ?? 0) + 1;
    return withMeta(set, { generation });
  }

  /** One pass of the replica set controller over one set. Pods go at once; the status is of before. */
  replicate(set: KubeObject): boolean {
    const own = [...this.pods.values()].filter((pod) => factsOf(pod).owner === uidOf(set));
    const { create, remove } = decideReplicaSet({ set, active: own, family: () => own }, this.now);
    const status = replicaSetStatus(set, own, undefined, this.now);
    for (const pod of remove) this.pods.delete(nameOf(pod));
    for (let at = 0; at < create; at += 1) this.#createPod(set);
    this.sets.set(nameOf(set), { ...set, status });
    return create > 0 || remove.length > 0 || JSON.stringify(status) !== JSON.stringify(set['status']);
  }

  #createPod(set: KubeObject): void {
    this.#count += 1;
    const name = `pod-${this.#count}`;
    const pod = podFromTemplate(set, objectAt(set, 'spec', 'template'));
    this.pods.set(name, {
      ...withMeta(pod, { name, uid: `uid-${name}`, creationTimestamp: formatTime(this.now) }),
      status: { phase: 'Pending' },
    });
  }

  becomeReady(pod: KubeObject): void {
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: formatTime(this.now) };
    this.pods.set(nameOf(pod), { ...pod, status: { phase: 'Running', conditions: [ready] } });
  }

  roll(image: string): void {
    const spec = objectAt(this.deployment, 'spec') ?? {};
    const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image }] } };
    this.deployment = this.#bumped({ ...this.deployment, spec: { ...spec, template } });
  }

  get total(): number {
    return this.pods.size;
  }

  get available(): number {
    return [...this.pods.values()].filter((pod) => factsOf(pod).isReady).length;
  }

  /** Everything in turn until nothing moves. */
  settle(check: () => void): void {
    for (let round = 0; round < 500; round += 1) {
      this.now = instant(this.now + 1000);
      let moved = this.deploy();
      check();
      for (const set of this.sets.values()) {
        moved = this.replicate(set) || moved;
        check();
      }
      for (const pod of this.pods.values()) {
        if (factsOf(pod).isReady) continue;
        this.becomeReady(pod);
        moved = true;
        check();
      }
      if (!moved) return;
    }
    throw new Error('the rollout never ended');
  }
}

const amount = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
);
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('deploy' as const) }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('replicate' as const), which: fc.nat(20) }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('ready' as const), which: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('roll' as const), which: fc.nat(3) }) },
);

test('in every order of events the counts of pods stay within what the strategy allows', () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 12 }),
    amount,
    amount,
    fc.array(act, { maxLength: 120 }),
    (replicas, maxSurge, maxUnavailable, acts) => {
      const world = new World({
        replicas,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
      });
      const limits = deploymentSpec(world.deployment);
      world.settle(() => undefined);
      expect([world.total, world.available]).toEqual([replicas, replicas]);
      const check = (): void => {
        expect(world.total).toBeLessThanOrEqual(replicas + limits.maxSurge);
        expect(world.available).toBeGreaterThanOrEqual(replicas - limits.maxUnavailable);
      };
      world.roll('img:next');
      for (const each of acts) {
        world.now = instant(world.now + 1000);
        const sets = [...world.sets.values()];
        const waiting = [...world.pods.values()].filter((pod) => !factsOf(pod).isReady);
        if (each.type === 'deploy') world.deploy();
        if (each.type === 'roll') world.roll(`img:${each.which}`);
        if (each.type === 'replicate') world.replicate(sets[each.which % sets.length] ?? {});
        const pod = each.type === 'ready' ? waiting[each.which % waiting.length] : undefined;
        if (pod !== undefined) world.becomeReady(pod);
        check();
      }
      world.settle(check);
      expect([world.total, world.available]).toEqual([replicas, replicas]);
      expect(objectAt(world.deployment, 'status')).toMatchObject({
        updatedReplicas: replicas,
        availableReplicas: replicas,
      });
    },
  );
  const withStaleNews = [
    { type: 'deploy' },
    { type: 'replicate', which: 7 },
    { type: 'roll', which: 0 },
    { type: 'deploy' },
    { type: 'deploy' },
    { type: 'replicate', which: 17 },
  ] as const;
  fc.assert(property, { numRuns: 400, examples: [[1, '1%', '0%', [...withStaleNews]]] });
});
