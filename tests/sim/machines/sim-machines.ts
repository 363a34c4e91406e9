import { createHash } from 'node:crypto';
import type { Random } from '#base/random.ts';
import { millis, seconds, type Millis } from '#base/time.ts';
import type { VirtualTime } from '#edge/virtual-time.ts';
import { sessionShell } from '#edge/ssh/session-shell.ts';
import type { Shell } from '#edge/ssh/shell.ts';
import type { ScriptedRun, StartedScript } from '#embedded/machines/machine/machine-parts.ts';
import { createMachine, type SimulatedMachine } from '#embedded/machines/machine/simulated-machine.ts';
import { below } from '../choice.ts';
import type { WorldDigest } from '../world-digest.ts';
import type { ScriptJudge } from './script-judge.ts';

/** What faults do to scripts, as shares from 0 to 1. */
export type ScriptFaultShares = {
  readonly fail: number;
  readonly cutAtStart: number;
  readonly cutAtEnd: number;
  readonly slow: number;
};

const calm: ScriptFaultShares = { fail: 0, cutAtStart: 0, cutAtEnd: 0, slow: 0 };

type Deps = {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly judge: ScriptJudge;
  readonly digest: WorldDigest | undefined;
};

/** The machines of a world. */
export class SimMachines {
  shares: ScriptFaultShares = calm;
  /** What happened to scripts. */
  readonly faults = { 'failed script': 0, 'cut at a start': 0, 'cut at an end': 0, 'slow script': 0 };
  readonly #deps: Deps;
  readonly #machines = new Map<string, SimMachine>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  at(node: string): SimMachine {
    const known = this.#machines.get(node) ?? new SimMachine(node, this.#deps, this);
    this.#machines.set(node, known);
    return known;
  }

  /** All machines are up, and stay so. */
  calmDown(): void {
    this.shares = calm;
    for (const machine of this.#machines.values()) machine.isDown = false;
  }
}

export class SimMachine {
  isDown = false;
  readonly machine: SimulatedMachine;
  readonly #deps: Deps;
  readonly #node: string;
  readonly #world: Pick<SimMachines, 'shares' | 'faults'>;
  readonly #shells = new Set<Shell>();
  #boots = 1;

  constructor(node: string, deps: Deps, world: Pick<SimMachines, 'shares' | 'faults'>) {
    this.#node = node;
    this.#deps = deps;
    this.#world = world;
    this.machine = createMachine({
      hostname: node,
      bootId: 'boot-1',
      clock: deps.time.clock,
      tasks: deps.time.tasks,
      newDigest: () => {
        const hash = createHash('sha256');
        return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
      },
      scripted: (script) => this.#started(script),
      programSpan: () => millis(500 + below(deps.random, 4000)),
    });
  }

  shell(name: string): Shell {
    const shell = sessionShell(name, (session) => this.machine.serve(session));
    this.#shells.add(shell);
    void shell.closed.then(() => this.#shells.delete(shell));
    return shell;
  }

  /** All connections to it are lost. */
  cut(): void {
    for (const shell of this.#shells) shell.close();
  }

  /** It cannot be reached for a while; its scripts go on. */
  goDown(span: Millis): void {
    this.isDown = true;
    this.cut();
    this.#deps.time.clock.after(span, () => (this.isDown = false));
  }

  crash(span: Millis): void {
    this.#boots += 1;
    this.machine.crash(`boot-${this.#boots}`);
    this.goDown(span);
  }

  #started(script: StartedScript): ScriptedRun {
    const { random, judge, time, digest } = this.#deps;
    const { faults, shares } = this.#world;
    const { fail, cutAtStart, cutAtEnd, slow } = shares;
    const { operation, step } = script;
    digest?.note(`start on ${this.#node}`, { operation, step });
    judge.started(this.#node, script);
    const isHook = script.step.endsWith('hook.sh');
    const isFailing = random.next() < fail;
    const isCutAtStart = random.next() < cutAtStart;
    if (isCutAtStart) time.tasks.soon(() => this.cut());
    const isCut = random.next() < cutAtEnd;
    const isSlow = random.next() < slow;
    faults['failed script'] += Number(isFailing);
    faults['cut at a start'] += Number(isCutAtStart);
    faults['cut at an end'] += Number(isCut);
    faults['slow script'] += Number(isSlow);
    return {
      ...(isHook && { span: seconds(isSlow ? 75 : 1 + below(random, 20)) }),
      ...(isFailing && { exit: 1 }),
      ended: (code) => {
        digest?.note(`end on ${this.#node}`, { operation, step, code });
        judge.ended(this.#node, script, code);
        if (isCut) this.cut();
      },
    };
  }
}
