import { seededRandom } from '#base/random.ts';
import { instant, later, minutes, seconds, type Clock, type Millis } from '#base/time.ts';
import {
  loadControllers,
  startControl,
  type Control,
  type LoadedControllers,
} from '#cli/start-controllers.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { virtualTime, type VirtualTime } from '#edge/virtual-time.ts';
import { nameOf, objectKeyOf } from '#kube/object.ts';
import { childName } from '#registrations/decide/children.ts';
import { aroundClient } from '../faults/around-client.ts';
import { neverKilled, killAtWrite, type KilledAtWrite } from '../faults/kill-at-write.ts';
import { ProgramErrors } from '../program-errors.ts';
import { addCounts } from '../tally.ts';
import { timerOrder } from '../timer-order.ts';
import { WorldDigest } from '../world-digest.ts';
import type { PlayedWorld, PlayOptions } from '../world-sort.ts';
import { CallJudge } from './call-judge.ts';
import { ChangeJudge } from './change-judge.ts';
import { childComplaints } from './child-judge.ts';
import { isNetworkHappening, NetworkFaults } from './network-faults.ts';
import {
  faultSeconds,
  type RegistrationHappening,
  type RegistrationShape,
  type RegistrationWorldPlan,
} from './plan-registration-world.ts';
import { ProcessSight } from './process-sight.ts';
import { instanceOf, specOf } from './registration-objects.ts';
import { ReconcileHooks, type ReconcileCall } from './reconcile-hooks.ts';
import { kuards, namespace, registrations, RegistrationServer } from './registration-server.ts';
import { Strangers } from './strangers.ts';

const start = instant(Date.UTC(2026, 0, 5, 12));
const names = ['crdregistration'] as const;
/** The children that change with an edit need no further call. */
const mostCallsOfAnEdit = 1;
let loaded: Promise<LoadedControllers> | undefined;

/** Plays a plan and returns the rules that were broken. */
export async function playRegistrationWorld(
  plan: RegistrationWorldPlan,
  { isDigested = false }: PlayOptions = {},
): Promise<PlayedWorld> {
  loaded ??= loadControllers(names);
  const world = new World(plan, await loaded, isDigested);
  return world.play();
}

class World {
  readonly #plan: RegistrationWorldPlan;
  readonly #loaded: LoadedControllers;
  readonly #time: VirtualTime;
  readonly #server: RegistrationServer;
  readonly #strangers: Strangers;
  readonly #hooks: ReconcileHooks;
  readonly #calls: CallJudge;
  readonly #changes: ChangeJudge;
  readonly #network: NetworkFaults;
  readonly #clock: Clock;
  readonly #trace: string[] = [];
  readonly #faults: Record<string, number> = {};
  readonly #digest: WorldDigest | undefined;
  readonly #mistakes = new ProgramErrors();
  readonly #touched = new Set<string>();
  #shape: RegistrationShape;
  #ahead = 0;
  #life: KilledAtWrite = neverKilled();
  #isDoomed = false;
  #control: Control | undefined;
  #starts = 0;

  constructor(plan: RegistrationWorldPlan, controllers: LoadedControllers, isDigested: boolean) {
    this.#plan = plan;
    this.#time = virtualTime(start, { order: timerOrder(plan.seed) });
    this.#loaded = controllers;
    this.#shape = plan.shape;
    const { clock } = this.#time;
    this.#server = new RegistrationServer(this.#time, plan.seed);
    this.#strangers = new Strangers(this.#server);
    this.#hooks = new ReconcileHooks(clock);
    this.#calls = new CallJudge(clock, () => this.#changes.history);
    this.#changes = new ChangeJudge(clock, this.#calls);
    this.#digest = isDigested ? new WorldDigest(clock) : undefined;
    this.#server.api.store.subscribe((change) => {
      this.#digest?.see(change);
      this.#changes.see(change, this.#server.actor);
    });
    this.#network = new NetworkFaults(clock, plan.seed);
    this.#clock = { ...clock, now: () => instant(clock.now() + this.#ahead), steady: () => clock.now() };
  }

  async play(): Promise<PlayedWorld> {
    this.#register(this.#plan.shape);
    this.#start(neverKilled());
    for (const each of this.#plan.happenings)
      this.#time.clock.after(seconds(each.after), () => this.#happen(each));
    for (let left = faultSeconds; left > 0; left -= 10) {
      await this.#pass(seconds(10));
      if (this.#life.isDead) await this.#restart();
    }
    const poisoned = new Set(
      [...this.#hooks.behaviours].filter(([, behaviour]) => behaviour !== 'good').map(([name]) => name),
    );
    await this.#endFaults();
    // An instance whose hook failed often waits at most 7.5 minutes, and once more when the clock was set back.
    await this.#pass(minutes(16));
    const isPoisoned = (name: string): boolean => poisoned.has(name);
    const starved = childComplaints(this.#server, this.#shape, isPoisoned).map(
      (each) => `beside a bad hook: ${each}`,
    );
    this.#hooks.calmDown();
    await this.#pass(minutes(20));
    const complaints = [
      ...starved,
      ...childComplaints(this.#server, this.#shape),
      ...(await this.#callComplaints()),
      ...(await this.#driftComplaints()),
    ];
    await this.#stop();
    return {
      complaints: [
        ...this.#changes.complaints,
        ...this.#calls.complaints,
        ...complaints,
        ...this.#mistakes.complaints,
      ],
      histories: this.#touched.size,
      judged: { calls: this.#hooks.calls.length, ...this.#changes.judged },
      faults: { ...this.#faults, ...this.#network.count },
      trace: this.#trace,
      digest: this.#digest?.hex() ?? '',
    };
  }

  /** Without a change there is no call; after a change there are not more than it needs. */
  async #callComplaints(): Promise<readonly string[]> {
    const idle = await this.#callsDuring(minutes(20));
    if (idle[0] !== undefined)
      return [`the hook is called although nothing changed: ${idle[0].phase} ${idle[0].instance}`];
    const names = this.#server.stored(kuards.storage).map(nameOf);
    for (const instance of names) this.#act({ after: 0, type: 'edit', instance, value: 1000 });
    const calls = await this.#callsDuring(minutes(3));
    return names.flatMap((name) => {
      const own = calls.filter(
        ({ instance, phase }) => instance === name && phase === 'pre-reconcile',
      ).length;
      return own <= mostCallsOfAnEdit ? [] : [`one edit of ${name} leads to ${own} calls of the hook`];
    });
  }

  /** Children that somebody changes or deletes are as declared again. */
  async #driftComplaints(): Promise<readonly string[]> {
    for (const [at, instance] of this.#server.stored(kuards.storage).map(nameOf).entries())
      this.#act({ after: 0, type: at % 2 === 0 ? 'edit-child' : 'drop-child', instance });
    await this.#pass(minutes(3));
    return childComplaints(this.#server, this.#shape).map((each) => `after a change by hand: ${each}`);
  }

  async #callsDuring(span: Millis): Promise<readonly ReconcileCall[]> {
    const before = this.#hooks.calls.length;
    await this.#pass(span);
    return this.#hooks.calls.slice(before);
  }

  async #endFaults(): Promise<void> {
    this.#network.end();
    // The status of the instance says that a user must do this.
    this.#strangers.leave();
    // One that is to die at a later write is replaced too.
    if (this.#isDoomed) await this.#restart();
  }

  #happen(happening: RegistrationHappening): void {
    if (!isDeed(happening)) addCounts(this.#faults, { [happening.type]: 1 });
    this.#trace.push(`${(this.#time.clock.now() - start) / 1000} ${JSON.stringify(happening)}`);
    if (isNetworkHappening(happening))
      return this.#network.begin(happening, () => this.#server.api.store.compact());
    switch (happening.type) {
      case 'take-name':
        return this.#strangers.take(happening.instance, happening.plural);
      case 'clock':
        this.#ahead += happening.seconds * 1000;
        return;
      case 'kill':
        this.#start(killAtWrite(happening.writes, happening.how));
        this.#isDoomed = true;
        return;
      case 'restart':
        return this.#start(neverKilled());
      case 'behaviour':
        this.#hooks.behaviours.set(happening.instance, happening.behaviour);
        return;
      case 'register':
        return this.#register(happening.shape);
      default:
        return this.#act(happening);
    }
  }

  /** What people do to instances and their children. */
  #act(
    happening: Extract<
      RegistrationHappening,
      { type: 'create' | 'edit' | 'delete' | 'drop-child' | 'edit-child' }
    >,
  ): void {
    const { instance } = happening;
    const { api } = this.#server;
    const key = { namespace, name: instance };
    const child = { namespace, name: childName('kuard', instance) };
    const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
    this.#touched.add(instance);
    this.#server.write(() => {
      switch (happening.type) {
        case 'create':
          return api.create(kuards, instanceOf(instance, happening.value));
        case 'edit':
          return api.patch(kuards, key, { type: 'merge', body: { spec: { value: happening.value } } });
        case 'delete':
          return api.remove(kuards, key);
        case 'drop-child':
          return api.remove(deployments, child);
        case 'edit-child':
          return api.patch(deployments, child, { type: 'merge', body: { spec: { replicas: 7 } } });
      }
    });
  }

  #register(shape: RegistrationShape): void {
    this.#shape = shape;
    const { api } = this.#server;
    const known = this.#server.stored('scoby.triggermesh.io/crdregistrations')[0];
    const spec = specOf(shape);
    this.#server.write(() =>
      known === undefined
        ? api.create(registrations, {
            apiVersion: 'scoby.triggermesh.io/v1alpha1',
            kind: 'CRDRegistration',
            metadata: { name: 'kuard' },
            spec,
          })
        : api.patch(registrations, objectKeyOf(known), {
            type: 'json',
            body: [{ op: 'replace', path: '/spec', value: spec }],
          }),
    );
  }

  /** A new process in the place of the one before, which does not know of it. */
  #start(life: KilledAtWrite): void {
    this.#isDoomed = false;
    const before = this.#control;
    this.#life = life;
    this.#starts += 1;
    const sight = new ProcessSight(this.#time.clock);
    const client = [...this.#network.faults, life, sight].reduce(aroundClient, this.#server.clientOf(sight));
    const outgoing = this.#hooks.outgoing((call) => this.#calls.begun(sight, call));
    this.#control = startControl({
      client,
      impersonate: () => client,
      hmac: hmacSha256Hex,
      clock: this.#clock,
      random: seededRandom(this.#plan.seed + 7 * this.#starts),
      tasks: this.#time.tasks,
      names: new Set(names),
      loaded: this.#loaded,
      outgoing: this.#digest?.around(outgoing) ?? outgoing,
      report: this.#mistakes.report,
    });
    void before?.close().catch(this.#mistakes.thrown);
  }

  async #restart(): Promise<void> {
    await this.#stop();
    this.#start(neverKilled());
  }

  async #stop(): Promise<void> {
    const before = this.#control;
    this.#control = undefined;
    if (before !== undefined) await this.#time.until(before.close().catch(this.#mistakes.thrown));
  }

  async #pass(span: Millis): Promise<void> {
    const end = later(this.#time.clock.now(), span);
    while (await this.#time.step(end));
  }
}

const deeds = new Set(['create', 'edit', 'delete', 'drop-child', 'edit-child', 'register', 'take-name']);
const isDeed = ({ type }: RegistrationHappening): boolean => deeds.has(type);
