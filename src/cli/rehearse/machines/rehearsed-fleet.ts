import { createHash } from 'node:crypto';
import { millis, minutes, seconds, type Millis } from '#base/time.ts';
import type { VirtualTime } from '#edge/virtual-time.ts';
import { hostFolder } from '#edge/ssh/host-program.ts';
import { machineOver, type SshMachine } from '#edge/ssh/machine.ts';
import type { Machines } from '#edge/ssh/machines.ts';
import { sessionShell } from '#edge/ssh/session-shell.ts';
import type { Shell } from '#edge/ssh/shell.ts';
import { nameOf } from '#edge/ssh/target.ts';
import type { NewDigest } from '#embedded/machines/files/simulated-files.ts';
import { createMachine, type SimulatedMachine } from '#embedded/machines/machine/simulated-machine.ts';
import { localNode } from '#machines/decide/plan.ts';
import type { ScriptBehaviour, StartedBehaviour } from './script-behaviour.ts';

/** The machines of a rehearsal, in this process. */
export type RehearsedFleet = {
  readonly machine: (node: string) => SimulatedMachine;
  readonly isDown: (node: string) => boolean;
  /** The way of an operation to them. */
  readonly open: (operation: string) => Machines;
};

export type FleetOptions = {
  readonly time: VirtualTime;
  readonly cluster: string;
  readonly stateDir: string;
  readonly connectTimeout: Millis;
  readonly behaviour: ScriptBehaviour;
};

const loginSpan = millis(300);
const bootSpan = minutes(1);

const newDigest: NewDigest = () => {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
};

export function rehearsedFleet(options: FleetOptions): RehearsedFleet {
  const { time, behaviour } = options;
  const machines = new Map<string, FleetMachine>();
  const find = (node: string): FleetMachine => {
    const known = machines.get(node) ?? new FleetMachine(node, time, behaviour);
    machines.set(node, known);
    return known;
  };
  return {
    machine: (node) => find(node).machine,
    isDown: (node) => find(node).isDown,
    open: (operation) => machinesOf(options, operation, find),
  };
}

/** A machine that may be down, and the connections to it. */
class FleetMachine {
  readonly machine: SimulatedMachine;
  isDown: boolean;
  readonly #time: VirtualTime;
  readonly #shells = new Set<Shell>();
  #boots = 1;

  constructor(node: string, time: VirtualTime, behaviour: ScriptBehaviour) {
    this.#time = time;
    this.isDown = behaviour.isDownAtFirst(node);
    this.machine = createMachine({
      hostname: node === localNode ? 'this-computer' : node,
      bootId: 'boot-1',
      clock: time.clock,
      tasks: time.tasks,
      newDigest,
      scripted: (script) => this.#started(behaviour.start(node, script)),
      programSpan: (command) => behaviour.programSpan(node, command),
    });
  }

  shell(name: string): Shell {
    const shell = sessionShell(name, (session) => this.machine.serve(session));
    this.#shells.add(shell);
    void shell.closed.then(() => this.#shells.delete(shell));
    return shell;
  }

  #started({ run, trouble }: StartedBehaviour): StartedBehaviour['run'] {
    if (trouble !== undefined) this.#time.clock.after(trouble.after, () => this.#fail(trouble.type));
    return run;
  }

  #fail(type: 'down' | 'crash'): void {
    this.isDown = true;
    this.#boots += 1;
    this.machine.crash(`boot-${this.#boots}`);
    for (const shell of this.#shells) shell.close();
    if (type === 'crash') this.#time.clock.after(bootSpan, () => (this.isDown = false));
  }
}

function machinesOf(
  { time, cluster, stateDir, connectTimeout }: FleetOptions,
  operation: string,
  find: (node: string) => FleetMachine,
): Machines {
  const inTurn = oneAfterAnother();
  const place = { stateDir, cluster, operation, grace: seconds(10) };
  /** Files of this computer are read in real time, while virtual time stands still, always in the same order. */
  const held = (machine: SshMachine): SshMachine => ({
    ...machine,
    deliver: (...args) => time.hold(inTurn(() => machine.deliver(...args))),
  });
  return {
    async reach(target, node, signal) {
      const found = find(node);
      await time.clock.sleep(found.isDown ? connectTimeout : loginSpan, signal);
      if (found.isDown)
        return { type: 'unreachable', message: `${nameOf(target)} cannot be reached: the machine is down.` };
      const shell = found.shell(nameOf(target));
      return {
        type: 'reached',
        machine: held(machineOver(shell, { ...place, node, host: hostFolder }, time.clock)),
      };
    },
    local: (node) =>
      held(machineOver(find(node).shell('this computer'), { ...place, node, host: undefined }, time.clock)),
    close: () => undefined,
  };
}

/** Runs pieces of work one at a time, in the order of the calls. */
function oneAfterAnother(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
