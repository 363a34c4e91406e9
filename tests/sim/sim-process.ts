import { seededRandom } from '#base/random.ts';
import { instant, type Clock } from '#base/time.ts';
import { startControl, type Control, type LoadedControllers } from '#cli/start-controllers.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { heldBack } from '#edge/kube/held-back.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import type { VirtualTime } from '#edge/virtual-time.ts';
import { runLeaderElection } from '#loop/leader-election.ts';
import type { Term } from '#loop/lease-term.ts';
import { whenAborted } from '#loop/when-aborted.ts';
import { aroundClient, isWrite, type ClientFault } from './faults/around-client.ts';
import { neverKilled, type KilledAtWrite } from './faults/kill-at-write.ts';
import { watchFaults, type WatchFaults } from './faults/watch-faults.ts';
import { partition, type Partition } from './faults/partition.ts';
import { requestFaults, type RequestFaults } from './faults/request-faults.ts';

export const controlNames = ['hookrun', 'hooktemplate', 'gamedeployment', 'gamestatefulset'] as const;

export type SimProcessDeps = {
  readonly time: VirtualTime;
  /** The server, and what is noted of each request that reaches it. */
  readonly client: KubeClient;
  readonly loaded: LoadedControllers;
  readonly outgoing: Outgoing;
  readonly seed: number;
  readonly number: number;
  readonly isElected: boolean;
};

/** One process with Boathook's controllers: it can be killed, cut off, and its clock can be set. */
export class SimProcess {
  readonly watches: WatchFaults;
  readonly requests: RequestFaults;
  readonly network: Partition;
  readonly clock: Clock;
  /** How far its clock is ahead, in milliseconds. */
  ahead = 0;
  readonly #deps: SimProcessDeps;
  #life: KilledAtWrite = neverKilled();
  #end: () => Promise<void> = () => Promise.resolve();
  #starts = 0;

  constructor(deps: SimProcessDeps) {
    this.#deps = deps;
    const { clock } = deps.time;
    const random = seededRandom(deps.seed + deps.number);
    this.watches = watchFaults(random);
    this.requests = requestFaults(random, clock);
    this.network = partition(clock);
    this.clock = {
      ...clock,
      now: () => instant(clock.now() + this.ahead),
      steady: () => clock.now(),
    };
  }

  get isDead(): boolean {
    return this.#life.isDead;
  }

  /** A new process in the place of the one before. `life`: when it is killed. */
  async restart(life: KilledAtWrite = neverKilled()): Promise<void> {
    await this.stop();
    this.#life = life;
    this.#starts += 1;
    if (this.#deps.isElected) this.#elect();
    else {
      const control = this.#control(undefined);
      this.#end = () => control.close();
    }
  }

  async stop(): Promise<void> {
    await this.#deps.time.until(this.#end());
    this.#end = () => Promise.resolve();
  }

  #elect(): void {
    const stop = new AbortController();
    const { number, seed } = this.#deps;
    const running = runLeaderElection(
      {
        client: this.#through([]),
        clock: this.clock,
        random: seededRandom(seed + number + this.#starts),
        lease: { namespace: 'boathook', name: 'boathook' },
        identity: `process-${number}-${this.#starts}`,
        lead: async (term) => {
          const control = this.#control(term);
          await whenAborted(term.signal);
          await control.close();
        },
      },
      stop.signal,
    );
    this.#end = () => {
      stop.abort(new Error('the process ends'));
      return running.catch(() => undefined);
    };
  }

  #control(term: Term | undefined): Control {
    const { time, loaded, outgoing, seed, number } = this.#deps;
    const client = this.#through(term === undefined ? [] : [fence(term)]);
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
      report: () => undefined,
    });
  }

  /** The fence is the last before the server: it is asked after every wait. */
  #through(fences: readonly ClientFault[]): KubeClient {
    const { client, isElected } = this.#deps;
    const faults = [...fences, ...(isElected ? [this.network] : []), this.requests, this.watches, this.#life];
    return faults.reduce(aroundClient, client);
  }
}

const fence = (term: Term): ClientFault => ({
  call: (call, go) => (isWrite(call) && !term.mayWrite() ? Promise.reject(heldBack()) : go()),
});
