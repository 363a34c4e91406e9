import { seededRandom, type Random } from '#base/random.ts';
import { instant, later, minutes, seconds, type Instant } from '#base/time.ts';
import { virtualTime, type VirtualTime } from '#edge/virtual-time.ts';
import { below } from '../choice.ts';
import { programComplaints } from '../program-errors.ts';
import { addCounts } from '../tally.ts';
import { timerOrder } from '../timer-order.ts';
import { WorldDigest } from '../world-digest.ts';
import type { PlayedWorld, PlayOptions } from '../world-sort.ts';
import { CarriedOperation, type AttemptEnd, type OperationWorld } from './carry-out.ts';
import { memberComplaints, membersOf } from './member-judge.ts';
import type { MachineHappening, MachineWorldPlan, OperationRound } from './plan-machine-world.ts';
import { ScriptJudge } from './script-judge.ts';
import { declarationOf } from './sim-cluster-plan.ts';
import { SimMachines } from './sim-machines.ts';
import type { SimOperator } from './sim-operator.ts';

const start = instant(Date.UTC(2026, 0, 5, 12));
/** Faults cease so long after an operation began. */
const timeOfFaults = minutes(4);
/** One attempt takes no longer than this when nothing goes wrong. */
const patience = minutes(120);
const mostAttempts = 8;

/** Plays a plan and returns the rules that were broken. */
export async function playMachineWorld(
  plan: MachineWorldPlan,
  { isDigested = false }: PlayOptions = {},
): Promise<PlayedWorld> {
  const time = virtualTime(start, { order: timerOrder(plan.seed) });
  const digest = isDigested ? new WorldDigest(time.clock) : undefined;
  const random = seededRandom(plan.seed);
  const judge = new ScriptJudge();
  const machines = new SimMachines({ time, random, judge, digest });
  const world: OperationWorld = {
    time,
    machines,
    judge,
    shape: plan.shape,
    artifacts: new Map(),
    seed: plan.seed * 1000,
    digest,
  };
  const play = new WorldPlay(world, random);
  let histories = 0;
  for (const [at, round] of plan.rounds.entries()) {
    await play.round(`operation-${at}`, round);
    histories += 1;
    if (judge.complaints.length > 0) break;
  }
  return {
    complaints: judge.complaints,
    histories,
    judged: { scripts: judge.starts, rollbacks: judge.rollbacks },
    faults: { ...play.faults, ...machines.faults },
    trace: play.trace,
    digest: digest?.hex() ?? '',
  };
}

class WorldPlay {
  readonly trace: string[] = [];
  readonly faults: Record<string, number> = {};
  readonly #world: OperationWorld;
  readonly #random: Random;
  #rivals = 0;

  constructor(world: OperationWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async round(id: string, round: OperationRound): Promise<void> {
    const { time, machines, judge, shape } = this.#world;
    const { asked, happenings, shares } = round;
    const before = membersOf(machines, shape);
    const carried = new CarriedOperation(this.#world, id, asked);
    this.#note(`${id} ${asked.operation} ${asked.nodes.join(' ')}`);
    machines.shares = shares;
    const end = later(time.clock.now(), timeOfFaults);
    time.clock.after(timeOfFaults, () => machines.calmDown());
    for (const each of happenings)
      time.clock.after(seconds(each.after), () => {
        if (time.clock.now() < end) this.#happen(id, carried, each);
      });
    const ignored = await this.#complete(id, carried, round, end);
    if (ignored === undefined) return;
    while (await time.step(end));
    judge.complaints.push(...memberComplaints(machines, { shape, asked, before, ignored }));
    for (const node of declarationOf(shape, asked.version).cluster.nodes) machines.at(node.name).cut();
  }

  /** Tries until it is done. Returns the machines that are left out with a warning; undefined: a rule is broken. */
  async #complete(
    id: string,
    carried: CarriedOperation,
    { asked, deaths }: OperationRound,
    end: Instant,
  ): Promise<readonly string[] | undefined> {
    const { time, judge } = this.#world;
    const left = [...deaths];
    for (let attempts = 0; ; attempts += 1) {
      // Scripts of an attempt that began earlier may have failed while there were faults.
      const isCalm = time.clock.now() >= end;
      const result = await this.#attempt(carried, left.shift());
      this.#note(`${id} ${result?.type ?? 'does not end'} ${result?.type === 'stands' ? result.reason : ''}`);
      if (result?.type === 'done') return result.left;
      judge.complaints.push(
        ...attemptComplaints(`${id} ${asked.operation}`, result, isCalm && attempts >= mostAttempts),
      );
      if (judge.complaints.length > 0) return undefined;
      await this.#pass(seconds(5 + below(this.#random, 40)));
    }
  }

  async #attempt(carried: CarriedOperation, death: OperationRound['deaths'][number] | undefined) {
    const { time } = this.#world;
    if (death !== undefined) addCounts(this.faults, { 'kill at a record': 1 });
    const result: { end?: AttemptEnd; error?: unknown } = {};
    void carried.attempt(death).then(
      (end) => (result.end = end),
      (error: unknown) => (result.error = error),
    );
    await stepUntil(time, () => result.end !== undefined || result.error !== undefined, patience);
    if (result.error !== undefined)
      this.#world.judge.complaints.push(`the operator broke: ${(result.error as Error).message}`);
    return result.end;
  }

  async #pass(span: Parameters<typeof later>[1]): Promise<void> {
    const { time } = this.#world;
    const end = later(time.clock.now(), span);
    while (await time.step(end));
  }

  #happen(id: string, carried: CarriedOperation, happening: MachineHappening): void {
    const { machines } = this.#world;
    const { operator } = carried;
    this.#note(`${id} ${JSON.stringify(happening)}`);
    addCounts(this.faults, { [happening.type]: 1 });
    switch (happening.type) {
      case 'cut':
        return machines.at(happening.node).cut();
      case 'crash':
        return machines.at(happening.node).crash(seconds(happening.seconds));
      case 'down':
        return machines.at(happening.node).goDown(seconds(happening.seconds));
      case 'rival':
        return this.#rival(id, carried.version);
      default:
        if (operator !== undefined) actOn(operator, happening);
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
      (error: unknown) => void this.#world.judge.complaints.push(...programComplaints(error)),
    );
    this.#world.time.clock.after(seconds(45), () => rival.operator?.kill(true));
  }

  #note(text: string): void {
    this.#world.digest?.note('trace', text);
    this.trace.push(`${(this.#world.time.clock.now() - start) / 1000} ${text.replaceAll('\n', ' | ')}`);
  }
}

type OperatorHappening = Extract<
  MachineHappening,
  { type: 'kill' | 'cancel' | 'retry' | 'clock' | 'offline' }
>;

function actOn(operator: SimOperator, happening: OperatorHappening): void {
  switch (happening.type) {
    case 'kill':
      return operator.kill(happening.isNoticed);
    case 'cancel':
      return operator.cancel();
    case 'retry':
      return operator.retry();
    case 'offline':
      return operator.goOffline(seconds(happening.seconds));
    case 'clock':
      operator.ahead += happening.seconds * 1000;
  }
}

/** `isLast`: faults have ceased, and it was tried often enough. */
function attemptComplaints(
  what: string,
  end: Exclude<AttemptEnd, { type: 'done' }> | undefined,
  isLast: boolean,
): readonly string[] {
  if (end === undefined) return [`${what} does not end`];
  const why = end.type === 'stands' ? end.reason : end.type;
  if (why === '') return [`${what} stops without a reason`];
  return isLast ? [`${what} does not complete once faults have ceased: ${why}`] : [];
}

async function stepUntil(time: VirtualTime, isOver: () => boolean, span: typeof patience): Promise<void> {
  const end = later(time.clock.now(), span);
  await time.settle();
  while (!isOver()) if (!(await time.step(end))) return;
}
