import { seededRandom, type Random } from '#base/random.ts';
import { instant, later, minutes, seconds } from '#base/time.ts';
import { virtualTime, type VirtualTime } from '#edge/virtual-time.ts';
import { below } from '../choice.ts';
import { CarriedOperation, type AttemptEnd, type OperationWorld } from './carry-out.ts';
import { memberComplaints, membersOf } from './member-judge.ts';
import type { MachineHappening, MachineWorldPlan, OperationRound } from './plan-machine-world.ts';
import { ScriptJudge } from './script-judge.ts';
import { declarationOf } from './sim-cluster-plan.ts';
import { SimMachines } from './sim-machines.ts';

export type MachineWorldResult = {
  readonly complaints: readonly string[];
  /** Operations that came to their end. */
  readonly histories: number;
  readonly scripts: number;
  /** What happened, line by line: the same for the same plan. */
  readonly trace: readonly string[];
};

const start = instant(Date.UTC(2026, 0, 5, 12));
/** Faults cease so long after an operation began. */
const storm = minutes(4);
/** One attempt takes no longer than this when nothing goes wrong. */
const patience = minutes(120);
const mostAttempts = 8;

/** Plays a plan and returns the rules that were broken. */
export async function playMachineWorld(plan: MachineWorldPlan): Promise<MachineWorldResult> {
  const time = virtualTime(start);
  const random = seededRandom(plan.seed);
  const judge = new ScriptJudge();
  const machines = new SimMachines({ time, random, judge });
  const world: OperationWorld = {
    time,
    machines,
    judge,
    shape: plan.shape,
    artifacts: new Map(),
    seed: plan.seed * 1000,
  };
  const play = new WorldPlay(world, random);
  let histories = 0;
  for (const [at, round] of plan.rounds.entries()) {
    await play.round(`operation-${at}`, round);
    histories += 1;
    if (judge.complaints.length > 0) break;
  }
  return { complaints: judge.complaints, histories, scripts: judge.starts, trace: play.trace };
}

class WorldPlay {
  readonly trace: string[] = [];
  readonly #world: OperationWorld;
  readonly #random: Random;
  #rivals = 0;

  constructor(world: OperationWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async round(id: string, { asked, happenings, weather, deaths }: OperationRound): Promise<void> {
    const { time, machines, judge, shape } = this.#world;
    const before = membersOf(machines, shape);
    const carried = new CarriedOperation(this.#world, id, asked);
    this.#note(`${id} ${asked.operation} ${asked.nodes.join(' ')}`);
    machines.weather = weather;
    const isOver = { value: false };
    time.clock.after(storm, () => {
      machines.calmDown();
      isOver.value = true;
    });
    const begun = time.clock.now();
    for (const each of happenings)
      time.clock.after(seconds(each.after), () => this.#happen(id, carried, each, isOver));
    const left = [...deaths];
    let ignored: readonly string[] = [];
    for (let attempts = 0; ; attempts += 1) {
      const end = await this.#attempt(carried, left.shift());
      this.#note(`${id} ${end?.type ?? 'does not end'} ${end?.type === 'stands' ? end.reason : ''}`);
      if (judge.complaints.length > 0) return;
      if (end === undefined) {
        judge.complaints.push(`${id} ${asked.operation} does not end`);
        return;
      }
      if (end.type === 'done') {
        ignored = end.left;
        break;
      }
      if (end.type === 'stands' && end.reason === '')
        judge.complaints.push(`${id} ${asked.operation} stops without a reason`);
      if (isOver.value && attempts >= mostAttempts) {
        const why = end.type === 'stands' ? end.reason : end.type;
        judge.complaints.push(`${id} ${asked.operation} does not complete once faults have ceased: ${why}`);
        return;
      }
      await this.#pass(seconds(5 + below(this.#random, 40)));
    }
    await this.#pass(Math.max(0, later(begun, storm) - time.clock.now()) as never);
    judge.complaints.push(...memberComplaints(machines, { shape, asked, before, ignored }));
    for (const node of declarationOf(shape, asked.version).cluster.nodes) machines.at(node.name).cut();
  }

  async #attempt(carried: CarriedOperation, death: OperationRound['deaths'][number] | undefined) {
    const { time } = this.#world;
    const result: { end?: AttemptEnd; error?: unknown } = {};
    void carried.attempt(death).then(
      (end) => (result.end = end),
      (error: unknown) => (result.error = error),
    );
    await stepUntil(time, () => result.end !== undefined || result.error !== undefined, patience);
    if (result.error !== undefined)
      this.#world.judge.complaints.push(`the operator broke: ${String(result.error)}`);
    return result.end;
  }

  async #pass(span: Parameters<typeof later>[1]): Promise<void> {
    const { time } = this.#world;
    const end = later(time.clock.now(), span);
    while (await time.step(end));
  }

  #happen(
    id: string,
    carried: CarriedOperation,
    happening: MachineHappening,
    isOver: { readonly value: boolean },
  ): void {
    if (isOver.value) return;
    const { machines } = this.#world;
    const { operator } = carried;
    this.#note(`${id} ${JSON.stringify(happening)}`);
    switch (happening.type) {
      case 'cut':
        return machines.at(happening.node).cut();
      case 'crash':
        return machines.at(happening.node).crash(seconds(happening.seconds));
      case 'down': {
        const machine = machines.at(happening.node);
        machine.isDown = true;
        machine.cut();
        this.#world.time.clock.after(seconds(happening.seconds), () => (machine.isDown = false));
        return;
      }
      case 'kill':
        return operator?.kill(happening.isNoticed);
      case 'cancel':
        return operator?.cancel();
      case 'retry':
        return operator?.retry();
      case 'clock':
        if (operator !== undefined) operator.ahead += happening.seconds * 1000;
        return;
      case 'rival':
        return this.#rival(id, carried.version);
    }
  }

  /** Another user upgrades a machine of the same cluster from another computer. */
  #rival(id: string, version: string): void {
    const { shape } = this.#world;
    this.#rivals += 1;
    const name = `${id}-rival-${this.#rivals}`;
    const rival = new CarriedOperation({ ...this.#world, artifacts: new Map(), shape }, name, {
      operation: 'node.upgrade',
      nodes: ['worker-0'],
      version,
    });
    void rival.attempt().then(
      (end) => this.#note(`${name} ${end.type} ${end.type === 'stands' ? end.reason : ''}`),
      () => undefined,
    );
    this.#world.time.clock.after(seconds(45), () => rival.operator?.kill(true));
  }

  #note(text: string): void {
    this.trace.push(`${(this.#world.time.clock.now() - start) / 1000} ${text.replaceAll('\n', ' | ')}`);
  }
}

async function stepUntil(time: VirtualTime, isOver: () => boolean, span: typeof patience): Promise<void> {
  const end = later(time.clock.now(), span);
  await time.settle();
  while (!isOver()) if (!(await time.step(end))) return;
}
