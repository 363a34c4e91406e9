import { seededRandom } from '#base/random.ts';
import { instant, type Clock } from '#base/time.ts';
import { scopeOf, type ShardScope } from '#cli/shard-objects.ts';
import { startControl, type Control, type LoadedControllers } from '#cli/start-controllers.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { heldBack } from '#edge/kube/held-back.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import type { VirtualTime } from '#edge/virtual-time.ts';
import { runLeaderElection } from '#loop/leader-election.ts';
import type { Term } from '#loop/lease-term.ts';
import { runShards } from '#loop/shards/run-shards.ts';
import { whenAborted } from '#loop/when-aborted.ts';
import { aroundClient, isWrite, type ClientFault } from './faults/around-client.ts';
import { lateWrites, type LateWrites, type LateWritesDeps } from './faults/late-writes.ts';
import { leaseFaults } from './faults/lease-faults.ts';
import { neverKilled, type KilledAtWrite } from './faults/kill-at-write.ts';
import { watchFaults, type WatchFaults } from './faults/watch-faults.ts';
import { partition, type Partition } from './faults/partition.ts';
import { requestFaults, type RequestFaults } from './faults/request-faults.ts';
import type { Knowledge } from './knowledge.ts';
import type { ProgramErrors } from './program-errors.ts';

export const controlNames = ['hookrun', 'hooktemplate', 'gamedeployment', 'gamestatefulset'] as const;

export type SimProcessDeps = {
  readonly time: VirtualTime;
  /** The server, and what is noted of each request that reaches it. */
  readonly client: KubeClient;
  readonly loaded: LoadedControllers;
  readonly outgoing: Outgoing;
  readonly seed: number;
  readonly number: number;
  readonly leading: Leading;
  /** Whether it can be cut off from the server. */
  readonly hasPartitions: boolean;
  /** Sees what the process reports. */
  readonly mistakes: ProgramErrors;
  /** Notes what its controllers know. */
  readonly knowledge: Knowledge;
  /** Its controllers end, because it leads no more. */
  readonly deposed: () => void;
  /** Told of writes that arrive after the process gave them up. */
  readonly arrives: LateWritesDeps['arrives'];
};

/** One process does everything, two elect a leader, or two divide the workloads into shards. */
export type Leading = 'alone' | 'elected' | 'sharded';

/** One process with Boathook's controllers: it can be killed, cut off, and its clock can be set. */
export class SimProcess {
  readonly watches: WatchFaults;
  readonly requests: RequestFaults;
  /** The same for requests for Leases. */
  readonly leases: RequestFaults;
  readonly late: LateWrites;
  readonly network: Partition;
  readonly clock: Clock;
  /** How far its clock is ahead, in milliseconds. */
  ahead = 0;
  readonly #deps: SimProcessDeps;
  #life: KilledAtWrite = neverKilled();
  #end: () => Promise<void> = () => Promise.resolve();
  #starts = 0;
  /** It has lost the Lease of a shard, and ends. */
  #isLost = false;

  constructor(deps: SimProcessDeps) {
    this.#deps = deps;
    const { clock } = deps.time;
    const random = seededRandom(deps.seed + deps.number);
    this.watches = watchFaults(random);
    this.requests = requestFaults(random, clock);
    // Numbers of their own: those of the faults before stay as they are.
    const more = seededRandom(deps.seed + deps.number + 5_000_011);
    this.leases = leaseFaults(more, clock);
    this.late = lateWrites({ random: more, clock, arrives: deps.arrives });
    this.network = partition(clock);
    this.clock = {
      ...clock,
      now: () => instant(clock.now() + this.ahead),
      steady: () => clock.now(),
    };
  }

  get isDead(): boolean {
    return this.#life.isDead || this.#isLost;
  }

  /** A new process in the place of the one before. `life`: when it is killed. */
  async restart(life: KilledAtWrite = neverKilled()): Promise<void> {
    await this.stop();
    this.#life = life;
    this.#starts += 1;
    this.#isLost = false;
    switch (this.#deps.leading) {
      case 'alone': {
        const control = this.#control();
        this.#end = () => control.close();
        return;
      }
      case 'elected':
        this.#until((stop) =>
          runLeaderElection({ ...this.#candidate(), lead: (term) => this.#lead(term) }, stop),
        );
        return;
      case 'sharded':
        this.#until((stop) =>
          runShards(
            {
              ...this.#candidate(),
              shards: 2,
              lead: (shard, term) => this.#lead(term, scopeOf(shard, new Set(controlNames))),
            },
            stop,
          ),
        );
    }
  }

  async stop(): Promise<void> {
    await this.#deps.time.until(this.#end());
    this.#end = () => Promise.resolve();
  }

  /** Runs until the process ends. */
  #until(run: (stop: AbortSignal) => Promise<void>): void {
    const stop = new AbortController();
    const running = run(stop.signal).catch((error: unknown) => {
      this.#isLost = true;
      this.#deps.mistakes.thrown(error);
    });
    this.#end = () => {
      stop.abort(new Error('the process ends'));
      return running;
    };
  }

  #candidate() {
    const { number, seed, mistakes } = this.#deps;
    return {
      report: mistakes.report,
      client: this.#through([]),
      clock: this.clock,
      random: seededRandom(seed + number + this.#starts),
      lease: { namespace: 'boathook', name: 'boathook' },
      identity: `process-${number}-${this.#starts}`,
    };
  }

  async #lead(term: Term, scope?: ShardScope): Promise<void> {
    const control = this.#control(term, scope);
    await whenAborted(term.signal);
    this.#deps.deposed();
    await control.close();
  }

  #control(term?: Term, scope?: ShardScope): Control {
    const { time, loaded, outgoing, seed, number, mistakes, knowledge } = this.#deps;
    const through = this.#through(term === undefined ? [] : [fence(term)]);
    const client = aroundClient(through, knowledge.ofControllers());
    return startControl({
      client,
      impersonate: () => client,
      hmac: hmacSha256Hex,
      clock: this.clock,
      random: seededRandom(seed + number + 7 * this.#starts),
      tasks: time.tasks,
      names: new Set(controlNames),
      loaded,
      outgoing,
      report: mistakes.report,
      ...scope,
    });
  }

  /** The fence is asked after every wait of the process. A late write has left the process. */
  #through(fences: readonly ClientFault[]): KubeClient {
    const { client, hasPartitions } = this.#deps;
    const faults = [
      this.late,
      ...fences,
      ...(hasPartitions ? [this.network] : []),
      this.leases,
      this.requests,
      this.watches,
      this.#life,
    ];
    return faults.reduce(aroundClient, client);
  }
}

const fence = (term: Term): ClientFault => ({
  call: (call, go) => (isWrite(call) && !term.mayWrite() ? Promise.reject(heldBack()) : go()),
});
