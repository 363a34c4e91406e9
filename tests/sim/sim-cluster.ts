import { listAt, textAt } from '#base/json.ts';
import { instant, later, seconds, type Instant } from '#base/time.ts';
import { loadControllers } from '#cli/start-controllers.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { virtualTime, type VirtualTime } from '#edge/virtual-time.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { namespaceOf, nameOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { keyOf, objectKey } from '#loop/delta.ts';
import { ReleaseObserver } from '../support/release-observer.ts';
import { embeddedServer } from './embedded-server.ts';
import { aroundClient, type ClientCall } from './faults/around-client.ts';
import { killAtWrite } from './faults/kill-at-write.ts';
import { metWrites } from './faults/met-writes.ts';
import { HookService } from './hook-service.ts';
import { BudgetJudge } from './judges/budget-judge.ts';
import { DisruptionJudges } from './judges/disruption-judges.ts';
import { LateWriteJudge } from './judges/late-write-judge.ts';
import { EventJudge } from './judges/event-judge.ts';
import { KnownReplicas } from './judges/known-replicas.ts';
import { RunJudge } from './judges/run-judge.ts';
import { StepJudge } from './judges/step-judge.ts';
import { VerdictJudge } from './judges/verdict-judge.ts';
import { Knowledge } from './knowledge.ts';
import { modelServer } from './model-server.ts';
import type { FaultPlan } from './plan-faults.ts';
import type { MetWrite } from './plan-happenings.ts';
import { ProgramErrors } from './program-errors.ts';
import { controlNames, SimProcess, type Leading } from './sim-process.ts';
import type { ServerChange, SimServer } from './sim-server.ts';
import { addCounts } from './tally.ts';
import { timerOrder } from './timer-order.ts';
import { Turns } from './turns.ts';
import { WorldDigest } from './world-digest.ts';

const start = Date.UTC(2026, 0, 5, 12);
/** After a fault controllers may need so long until they have seen everything, in seconds. */
const slowness = 32;

/** The longest hold of a watch, and slow requests after it. */
const slowestNews = seconds(12);

/** More timers than this in a few seconds are a loop without an end. */
const mostSteps = 50_000;

/** In calm times controllers have seen and done what happened so many milliseconds ago. */
const delivery = 200;

export type SimClusterOptions = {
  readonly seed: number;
  readonly leading: Leading;
  /** Whether a single process can be cut off. */
  readonly hasPartitions?: boolean;
  readonly server: 'model' | 'embedded';
  /** Whether every change becomes a line. */
  readonly isTraced?: boolean;
  readonly isDigested?: boolean;
};

/** A server and processes with controllers on virtual time, faults, and judges that see every change. */
export class SimCluster {
  readonly time: VirtualTime;
  readonly observer: ReleaseObserver;
  readonly runs = new RunJudge();
  readonly verdicts = new VerdictJudge();
  readonly steps = new StepJudge();
  readonly budgets: BudgetJudge;
  readonly events = new EventJudge();
  readonly disruptions: DisruptionJudges;
  readonly lateWrites: LateWriteJudge;
  readonly mistakes = new ProgramErrors();
  readonly hooks: HookService;
  readonly trace: string[] = [];
  readonly digest: WorldDigest | undefined;
  /** Changes of the server, and the faults that there were. */
  changes = 0;
  readonly faults: Record<string, number> = {};
  server!: SimServer;
  readonly #options: SimClusterOptions;
  readonly #processes: SimProcess[] = [];
  readonly #met = metWrites();
  #isMeeting = false;
  /** When the write of a pod that arrives late right now was sent, and the number of late writes that the server refused. */
  readonly #late = new Map<string, Instant>();
  /** The last late write of each pod: one arrives after the other, so that each change is known to be by one of them. */
  readonly #arriving = new Map<string, Promise<void>>();
  /** Pods of which a write arrives right now whose controller has ended. */
  readonly #abandoned = new Set<string>();
  #refused = 0;
  /** Uids of pods that controllers, or users, have deleted. */
  readonly #ours = new Set<string>();
  readonly #byUsers = new Set<string>();
  /** What controllers may still know of. */
  readonly #replicas = new KnownReplicas();
  readonly #knowledge: Knowledge;
  #calmAt: Instant = instant(0);
  #isHeld = false;
  /** How far the clock of a controller may be ahead of the time, in milliseconds. */
  #mostAhead = 0;
  #told = 0;

  constructor(options: SimClusterOptions) {
    this.#options = options;
    const isModel = options.server === 'model';
    const turns = new Turns((task) => void (isModel ? process.nextTick(task) : setImmediate(task)));
    this.time = virtualTime(start, { turn: turns.next, order: timerOrder(options.seed) });
    this.#knowledge = new Knowledge(turns);
    this.digest = options.isDigested === true ? new WorldDigest(this.time.clock) : undefined;
    const isOurDeletion = (pod: KubeObject): boolean =>
      this.#ours.has(uidOf(pod)) && !this.#byUsers.has(uidOf(pod));
    const sentAt = (pod: KubeObject): Instant | undefined => this.#late.get(keyOf(pod));
    // The event comes when the write is decided, however late it arrives.
    const overdue = (pod: KubeObject, at: Instant): void => this.events.overdue(pod, sentAt(pod) ?? at);
    this.observer = new ReleaseObserver({ isOurDeletion, sentAt, overdue, patience: slowestNews });
    this.lateWrites = new LateWriteJudge(sentAt);
    this.budgets = new BudgetJudge((pod) => this.#abandoned.has(keyOf(pod)));
    const replicasOf = this.#replicas.of;
    this.disruptions = new DisruptionJudges({ isOurDeletion, sentAt, replicasOf, overdue });
    this.hooks = new HookService(this.time.clock, (call) => {
      this.runs.called(call);
      this.verdicts.called(call);
    });
  }

  get client(): KubeClient {
    return this.server.client;
  }

  get now(): Instant {
    return this.time.clock.now();
  }

  get complaints(): readonly string[] {
    const { observer, runs, verdicts, steps, budgets, events, disruptions, lateWrites, mistakes, server } =
      this;
    return [observer, runs, verdicts, steps, budgets, events, disruptions, lateWrites, mistakes]
      .flatMap(({ complaints }) => complaints)
      .concat(server.problems.map(String));
  }

  get judged(): Readonly<Record<string, number>> {
    const { observer, runs, verdicts, steps, budgets, events, disruptions, lateWrites } = this;
    return {
      ...disruptions.judged,
      ...observer.judged,
      ...runs.judged,
      ...verdicts.judged,
      ...steps.judged,
      ...budgets.judged,
      ...events.judged,
      ...lateWrites.judged,
      changes: this.changes,
      calls: this.hooks.calls,
    };
  }

  /** All faults that there were, those of single requests included. */
  get allFaults(): Readonly<Record<string, number>> {
    const all: Record<string, number> = { ...this.faults };
    for (const { requests, leases, late } of this.#processes) {
      addCounts(all, requests.count);
      for (const [kind, count] of Object.entries(leases.count)) addCounts(all, { [`leases ${kind}`]: count });
      addCounts(all, late.count);
    }
    addCounts(all, { 'late and refused': this.#refused, ...this.#met.count });
    return all;
  }

  async open(): Promise<void> {
    const { seed, server, leading, hasPartitions = false } = this.#options;
    const { time } = this;
    const loaded = await loadControllers(controlNames);
    this.server = server === 'model' ? modelServer(time, seed + 2) : await embeddedServer(time, seed + 2);
    this.server.subscribe((change) => this.#see(change));
    const judged = aroundClient(this.server.client, {
      call: (call, go) => {
        if (call.verb === 'patch' && call.resource.plural === 'events')
          this.events.counted(call.namespace, call.name, this.now);
        if (call.verb === 'patch') return this.steps.patching(call, go);
        if (call.verb !== 'remove' || call.resource.plural !== 'pods') return go();
        this.#judgeForce(call);
        return this.#deletion(call.removal?.preconditions?.uid ?? '', go);
      },
    });
    const client = aroundClient(judged, this.#met);
    for (let number = 0; number < (leading === 'alone' ? 1 : 2); number += 1)
      this.#processes.push(
        new SimProcess({
          time,
          client,
          loaded,
          outgoing: this.digest?.around(this.hooks.outgoing) ?? this.hooks.outgoing,
          seed: seed + 3,
          number,
          leading,
          hasPartitions: hasPartitions || leading !== 'alone',
          mistakes: this.mistakes,
          knowledge: this.#knowledge,
          deposed: () => this.events.cut(this.now),
          arrives: (...late) => void this.#arrives(...late),
        }),
      );
  }

  /** Waits for an answer to a user. One who acts at a write of a controller waits with all others. */
  asked<Value>(work: Promise<Value>): Promise<Value> {
    return this.#isMeeting ? work : this.time.until(work);
  }

  /** A user acts directly before or after a write of a controller. */
  meet(namespace: string, met: MetWrite, act: () => Promise<void>): void {
    this.#met.wait(namespace, met, async () => {
      this.#note(`a user acts ${met.how} a write in ${namespace}`);
      this.#isMeeting = true;
      await act().catch((error: unknown) => this.mistakes.complaints.push(`a user failed: ${String(error)}`));
      this.#isMeeting = false;
    });
  }

  /** A write of which its client knows nothing any more. */
  async #arrives(call: ClientCall, sentAt: Instant, send: () => Promise<unknown>): Promise<void> {
    const { resource, namespace, name } = call;
    if (resource.plural !== 'pods') return this.#arrive(call, '', { sentAt, send });
    const pod = objectKey(namespace, name);
    const before = this.#arriving.get(pod);
    const arrive = (): Promise<void> => this.#arrive(call, pod, { sentAt, send });
    const arriving = before === undefined ? arrive() : before.then(arrive);
    this.#arriving.set(pod, arriving);
    await arriving;
    if (this.#arriving.get(pod) === arriving) this.#arriving.delete(pod);
  }

  async #arrive(
    { verb, resource, namespace, name, signal }: ClientCall,
    pod: string,
    { sentAt, send }: { readonly sentAt: Instant; readonly send: () => Promise<unknown> },
  ): Promise<void> {
    this.#late.set(pod, sentAt);
    if (signal.aborted) this.#abandoned.add(pod);
    const outcome = (await send().catch(this.mistakes.thrown)) as Outcome | undefined;
    this.#late.delete(pod);
    this.#abandoned.delete(pod);
    const type = outcome?.type ?? 'nothing';
    // A creation changes no pod: somebody else acted at the same moment.
    this.lateWrites.arrived(pod, type === 'ok' && verb !== 'create');
    if (type !== 'ok') this.#refused += 1;
    this.#note(`late ${verb} of ${resource.plural} ${namespace}/${name}: ${type}`);
  }

  /** A user deletes a pod: whatever the controllers have asked for, it is not their deletion. */
  userDeletes(pod: KubeObject): void {
    this.#byUsers.add(uidOf(pod));
  }

  /** A deletion that the server refuses is none. */
  async #deletion<Result>(uid: string, go: () => Promise<Result>): Promise<Result> {
    this.#ours.add(uid);
    const result = await go();
    if ((result as Outcome).type !== 'ok') this.#ours.delete(uid);
    return result;
  }

  async begin(): Promise<void> {
    for (const process of this.#processes) await process.restart();
  }

  #judgeForce(call: ClientCall): void {
    if (call.removal?.gracePeriodSeconds !== 0) return;
    const uid = call.removal.preconditions?.uid ?? '';
    const pod = this.server.stored('/pods', call.namespace).find((each) => uidOf(each) === uid);
    this.disruptions.removed(call, pod, this.now);
  }

  #see(told: ServerChange): void {
    const { type, storage, object } = told;
    // Another write of the pod that is on its way says nothing about one that arrives late.
    const isLate = this.#late.has(keyOf(object));
    const received = storage === '/pods' && !isLate ? this.#knowledge.of(object) : undefined;
    const change = received === undefined ? told : { ...told, received };
    const { now } = this;
    if (storage !== '/events') this.changes += 1;
    const latest = instant(now + this.#mostAhead);
    this.#replicas.see(change, now);
    this.observer.see({ type, object, at: now, latest, received });
    this.runs.see(change);
    this.verdicts.see(change);
    this.steps.see(change, now);
    this.budgets.see(change, now);
    this.events.see(change, now);
    this.disruptions.see(change, now, latest);
    this.lateWrites.see(change, now);
    this.digest?.see(change);
    if (this.#options.isTraced === true) this.#traceChange(change);
  }

  #traceChange({ type, storage, object }: ServerChange): void {
    if (!/^\/pods$|^tkex|^policy/.test(storage)) return;
    const gates = listAt(object, 'status', 'conditions').map(
      (each) => `${textAt(each, 'type')?.slice(0, 5)}=${textAt(each, 'status')?.slice(0, 1)}`,
    );
    const words = [
      textAt(object, 'status', 'phase'),
      textAt(object, 'metadata', 'labels', 'controller-revision-hash'),
      textAt(object, 'metadata', 'deletionTimestamp') && 'deleting',
      ...(storage === '/pods' ? gates : [textAt(object, 'status', 'reason')]),
    ];
    const about = `${storage} ${namespaceOf(object)}/${nameOf(object)} ${resourceVersionOf(object)}`;
    this.#note(`${type} ${about} ${words.filter(Boolean).join(' ')}`);
    const { length } = this.complaints;
    if (length > this.#told) this.#note(`COMPLAINT ${this.complaints.at(-1) ?? ''}`);
    this.#told = length;
  }

  /** Begins a fault; those that last end by themselves. */
  async inject(fault: FaultPlan): Promise<void> {
    this.faults[fault.type] = (this.faults[fault.type] ?? 0) + 1;
    this.#note(`fault ${JSON.stringify(fault)}`);
    if (fault.type === 'lose-node') this.server.nodes?.lose(fault);
    else await this.#injectFault(fault);
  }

  async #injectFault(fault: Exclude<FaultPlan, { readonly type: 'lose-node' }>): Promise<void> {
    const victim = this.#processes[this.#count() % this.#processes.length];
    switch (fault.type) {
      case 'delay-watches':
      case 'repeat-events':
      case 'lose-watches':
      case 'compact':
        this.#injectWatchFault(fault);
        return;
      case 'fail-requests':
      case 'fail-leases':
      case 'late-writes':
        this.#injectRequestFault(fault);
        return;
      case 'kill':
      case 'partition':
      case 'clock':
        if (victim !== undefined) await this.#injectProcessFault(victim, fault);
    }
  }

  #injectRequestFault(
    fault: Extract<FaultPlan, { readonly type: 'fail-requests' | 'fail-leases' | 'late-writes' }>,
  ): void {
    this.#disturbed(fault.seconds + slowness);
    for (const { requests, leases, late } of this.#processes) {
      if (fault.type === 'fail-requests') requests.begin(fault.seconds, fault.share);
      else if (fault.type === 'fail-leases') leases.begin(fault.seconds, fault.share);
      else late.begin(fault);
    }
  }

  async #injectProcessFault(
    victim: SimProcess,
    fault: Extract<FaultPlan, { readonly type: 'kill' | 'partition' | 'clock' }>,
  ): Promise<void> {
    this.#disturbed(slowness);
    switch (fault.type) {
      case 'kill':
        this.events.cut(this.now);
        await victim.restart(killAtWrite(fault.writes, fault.how));
        return;
      case 'partition':
        this.#disturbed(fault.seconds + slowness);
        this.events.cut(this.now);
        victim.network.cutOff();
        this.time.clock.after(seconds(fault.seconds), () => victim.network.heal());
        return;
      case 'clock':
        victim.ahead += fault.seconds * 1000;
        this.#mostAhead = Math.max(this.#mostAhead, victim.ahead);
    }
  }

  #injectWatchFault(
    fault: Extract<
      FaultPlan,
      { readonly type: 'delay-watches' | 'repeat-events' | 'lose-watches' | 'compact' }
    >,
  ): void {
    if (fault.type === 'delay-watches') {
      this.#hold(fault.plurals, fault.seconds);
      return;
    }
    if (fault.type === 'repeat-events') {
      for (const { watches } of this.#processes) watches.repeat(fault.share);
      this.time.clock.after(seconds(fault.seconds), () => {
        for (const { watches } of this.#processes) watches.repeat(0);
      });
      return;
    }
    this.#disturbed(slowness);
    if (fault.type === 'compact') this.server.compact();
    for (const { watches } of this.#processes) watches.lose(fault.type === 'lose-watches' && fault.isGone);
  }

  #count(): number {
    return Object.values(this.faults).reduce((sum, count) => sum + count, 0);
  }

  #hold(plurals: readonly string[], length: number): void {
    this.#isHeld = true;
    for (const { watches } of this.#processes) watches.hold(plurals);
    this.time.clock.after(seconds(length), () => this.#release());
  }

  #release(): void {
    for (const { watches } of this.#processes) watches.release();
    this.#isHeld = false;
    this.#disturbed(1);
  }

  /** All faults end. */
  async cease(): Promise<void> {
    this.#release();
    this.#met.end();
    this.server.nodes?.restoreAll();
    for (const process of this.#processes) {
      process.requests.end();
      process.leases.end();
      process.late.end();
      process.network.heal();
      process.watches.repeat(0);
      process.ahead = 0;
    }
    await this.#revive();
  }

  /** Controllers may not have seen everything for so long. */
  #disturbed(length: number): void {
    this.#calmAt = instant(Math.max(this.#calmAt, later(this.now, seconds(length))));
  }

  async #revive(): Promise<void> {
    for (const process of this.#processes)
      if (process.isDead) {
        this.#note('a process is killed');
        this.events.cut(this.now);
        await process.restart();
      }
  }

  #note(what: string): void {
    if (this.#options.isTraced === true) this.trace.push(`${this.now - start} ${what}`);
  }

  /** Lets time pass until then. */
  async pass(until: Instant): Promise<void> {
    for (let steps = 0; ; steps += 1) {
      if (steps > mostSteps)
        throw new Error(`more than ${mostSteps} timers in one stretch of time: something spins`);
      const moved = await this.time.step(until);
      await this.#revive();
      if (!this.#isHeld && this.now >= this.#calmAt) this.#calm();
      if (!moved) return;
    }
  }

  #calm(): void {
    const until = instant(this.now - delivery);
    this.#mostAhead = Math.max(0, ...this.#processes.map(({ ahead }) => ahead));
    this.observer.calm(until);
    this.budgets.calm(this.now);
    this.disruptions.calm(until);
    this.#replicas.calm(until);
  }

  async close(): Promise<void> {
    await this.cease();
    for (const process of this.#processes) await process.stop();
    await this.server.close();
  }
}
