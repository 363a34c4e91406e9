import { devNull } from 'node:os';
import { seededRandom } from '#base/random.ts';
import { instant, millis, seconds, type Clock, type Millis } from '#base/time.ts';
import { Secret } from '#edge/secret.ts';
import { hostFolder } from '#edge/ssh/host-program.ts';
import { machineOver } from '#edge/ssh/machine.ts';
import type { Machines } from '#edge/ssh/machines.ts';
import type { Shell } from '#edge/ssh/shell.ts';
import { nameOf } from '#edge/ssh/target.ts';
import type { VirtualTime } from '#edge/virtual-time.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import type { EngineIo } from '#machines/engine/io.ts';
import { runPlan, type RunEnd } from '#machines/engine/run-plan.ts';
import type { WorldDigest } from '../world-digest.ts';
import { hookSource } from './sim-cluster-plan.ts';
import type { SimMachines } from './sim-machines.ts';

/** Where an operator dies: at one of its records, before or after it is on the disk. */
export type DeathAtRecord = { readonly record: number; readonly isKept: boolean };

export type OperatorDeps = {
  readonly time: VirtualTime;
  readonly machines: SimMachines;
  readonly id: string;
  readonly plan: MachinePlan;
  readonly nodes: readonly ClusterNode[];
  /** The journal on the disk. */
  readonly journal: JournalRecord[];
  readonly artifacts: Map<string, Uint8Array>;
  readonly seed: number;
  readonly death?: DeathAtRecord | undefined;
  readonly digest: WorldDigest | undefined;
};

/** A promise of its own each time: one for all would keep everything that ever waited for it. */
const never = (): Promise<never> => new Promise(() => undefined);

/** A process that runs an operation. When it is killed nothing of it goes on. */
export class SimOperator {
  isDead = false;
  /** How far its clock is ahead. */
  ahead = 0;
  readonly #deps: OperatorDeps;
  readonly #shells = new Set<Shell>();
  readonly #cancel = new AbortController();
  readonly #died = Promise.withResolvers<'killed'>();
  #retry: (() => void) | undefined;
  #records = 0;
  #isOffline = false;

  constructor(deps: OperatorDeps) {
    this.#deps = deps;
  }

  /** The end of the operation, or of the operator. */
  run(): Promise<RunEnd | 'killed'> {
    const { id, plan, nodes, journal } = this.#deps;
    const ended = runPlan(
      {
        id,
        plan,
        nodes: new Map(nodes.map((node) => [node.name, node])),
        records: [...journal],
        holder: `computer 1 now boathook ${id}`,
        leaseTouch: seconds(10),
        leaseStale: seconds(30),
        patience: seconds(20),
      },
      this.#io(),
      this.#cancel.signal,
    );
    return Promise.race([ended, this.#died.promise]);
  }

  /** `isNoticed`: its connections end; otherwise machines hear nothing more of it, as after a loss of power. */
  kill(isNoticed: boolean): void {
    if (this.isDead) return;
    this.isDead = true;
    if (isNoticed) for (const shell of this.#shells) shell.close();
    this.#died.resolve('killed');
  }

  /** It loses its connections, and reaches no machine for a time. */
  goOffline(span: Millis): void {
    this.#isOffline = true;
    for (const shell of this.#shells) shell.close();
    this.#deps.time.clock.after(span, () => (this.#isOffline = false));
  }

  cancel(): void {
    this.#cancel.abort(new Error('interrupted'));
  }

  retry(): void {
    this.#retry?.();
  }

  #io(): EngineIo {
    const { journal, artifacts, seed } = this.#deps;
    return {
      clock: this.#clock(),
      random: seededRandom(seed),
      machines: this.#machines(),
      secret: (ref) =>
        Promise.resolve(
          new Secret(
            ref.type === 'derived' && ref.shape === 'bootstrap-token'
              ? 'abcdef.0123456789abcdef'
              : '0'.repeat(64),
          ),
        ),
      append: (record) => this.#append(journal, record),
      emit: () => undefined,
      source: () => Promise.resolve(hookSource),
      artifacts: {
        read: (name) => Promise.resolve(artifacts.get(name)),
        write: (name, content) => {
          if (this.isDead) return never();
          artifacts.set(name, content);
          return Promise.resolve();
        },
      },
      logFile: () => devNull,
      onRetry: (listener) => {
        this.#retry = listener;
        return () => (this.#retry = undefined);
      },
    };
  }

  #append(journal: JournalRecord[], record: JournalRecord): Promise<void> {
    if (this.isDead) return never();
    const { death, digest, id } = this.#deps;
    digest?.note(`record of ${id}`, record);
    this.#records += 1;
    const isLast = death?.record === this.#records;
    if (!isLast || death.isKept) journal.push(record);
    if (!isLast) return Promise.resolve();
    this.kill(true);
    return never();
  }

  /** Timers of a dead process do not fire. */
  #clock(): Clock {
    const { clock } = this.#deps.time;
    const after: Clock['after'] = (span, task) =>
      clock.after(span, () => {
        if (!this.isDead) task();
      });
    return {
      now: () => instant(clock.now() + this.ahead),
      after,
      sleep: (span, signal) => clock.sleep(span, signal).then(() => (this.isDead ? never() : undefined)),
    };
  }

  #machines(): Machines {
    const { machines, id } = this.#deps;
    const place = { stateDir: '/var/lib/boathook', cluster: 'harbour', operation: id, grace: seconds(10) };
    const clock = this.#clock();
    return {
      reach: async (target, node, signal) => {
        if (this.isDead) return never();
        const machine = machines.at(node);
        await clock.sleep(machine.isDown ? seconds(20) : millis(300), signal);
        const why = this.#isOffline ? 'there is no network' : machine.isDown ? 'the machine is down' : '';
        if (why !== '')
          return { type: 'unreachable', message: `${nameOf(target)} cannot be reached: ${why}.` };
        const shell = machine.shell(nameOf(target));
        this.#shells.add(shell);
        return { type: 'reached', machine: machineOver(shell, { ...place, node, host: hostFolder }, clock) };
      },
      local: () => {
        throw new Error('nothing runs on the computer of the operator');
      },
      close: () => undefined,
    };
  }
}
