import type { VirtualTime } from '#edge/virtual-time.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import type { Undo } from '#machines/decide/plan-stages.ts';
import { hasSucceeded, replay, type JournalRecord } from '#machines/decide/progress.ts';
import { undoneNodes, undoneTasks, undoOf } from '#machines/decide/undo.ts';
import type { OperationVerdict } from '#machines/decide/verdict.ts';
import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { WorldDigest } from '../world-digest.ts';
import { declarationOf, simPlan, type SimClusterShape, type SimOperation } from './sim-cluster-plan.ts';
import type { SimMachines } from './sim-machines.ts';
import { SimOperator, type DeathAtRecord } from './sim-operator.ts';
import type { ScriptJudge } from './script-judge.ts';

export type OperationWorld = {
  readonly time: VirtualTime;
  readonly machines: SimMachines;
  readonly judge: ScriptJudge;
  readonly shape: SimClusterShape;
  readonly artifacts: Map<string, Uint8Array>;
  readonly seed: number;
  readonly digest: WorldDigest | undefined;
};

/** How an attempt of a user ended. */
export type AttemptEnd =
  /** `left`: machines whose failure the policy ignores, with a warning to the user. */
  | { readonly type: 'done'; readonly left: readonly string[] }
  | { readonly type: 'killed' }
  /** It stands, with the reason that users read. */
  | { readonly type: 'stands'; readonly reason: string };

type Rollback = { readonly id: string; readonly undo: Undo; readonly journal: JournalRecord[] };

/** An operation of a user, with its journal, from the first command to the last. */
export class CarriedOperation {
  readonly id: string;
  readonly plan: MachinePlan;
  /** The process that works on it. */
  operator: SimOperator | undefined;
  readonly #world: OperationWorld;
  readonly #asked: SimOperation;
  readonly #journal: JournalRecord[] = [];
  #rollback: Rollback | undefined;
  #rollbacks = 0;
  #starts = 0;

  get version(): string {
    return this.#asked.version;
  }

  constructor(world: OperationWorld, id: string, asked: SimOperation) {
    this.#world = world;
    this.id = id;
    this.#asked = asked;
    this.plan = simPlan(world.shape, asked);
  }

  /** `deploy`, `resume` or `retry`, as a user would type it now. */
  async attempt(death?: DeathAtRecord): Promise<AttemptEnd> {
    if (this.#rollback !== undefined) {
      const end = await this.#takeBack(this.#rollback, death);
      if (end.type !== 'done') return end;
    }
    const { closed } = replay(this.#journal);
    if (closed !== undefined)
      this.#record(this.#journal, { type: 'retried', at: this.#world.time.clock.now() });
    const end = await this.#work(this.id, this.plan, this.#journal, death);
    if (end === 'killed') return { type: 'killed' };
    if (end.type !== 'ended') return { type: 'stands', reason: reasonOf(end) };
    const undo = this.#undoAfter(end.verdict);
    if (undo !== undefined) {
      this.#rollbacks += 1;
      this.#rollback = { id: `${this.id}-rollback-${this.#rollbacks}`, undo, journal: [] };
      const back = await this.#takeBack(this.#rollback);
      if (back.type !== 'done') return back;
    }
    const left = end.verdict.ignored.filter(({ step }) => step.kind === 'install').map(({ node }) => node);
    return end.verdict.state === 'Succeeded'
      ? { type: 'done', left }
      : { type: 'stands', reason: reasonOf(end) };
  }

  /** Writes a record of the command itself. */
  #record(journal: JournalRecord[], record: JournalRecord): void {
    this.#world.digest?.note(`record of ${this.id}`, record);
    journal.push(record);
  }

  async #takeBack(rollback: Rollback, death?: DeathAtRecord): Promise<AttemptEnd> {
    const { id, undo, journal } = rollback;
    const { judge, time, shape } = this.#world;
    const isJoin = this.#asked.operation === 'node.join';
    const plan = simPlan(
      shape,
      {
        ...this.#asked,
        operation: isJoin ? 'node.delete' : 'cluster.delete',
        nodes: isJoin ? undo.touched : [],
      },
      undo,
    );
    if (replay(journal).closed === 'Failed') this.#record(journal, { type: 'retried', at: time.clock.now() });
    const end = await this.#work(id, plan, journal, death);
    if (end === 'killed') return { type: 'killed' };
    if (end.type !== 'ended') return { type: 'stands', reason: reasonOf(end) };
    if (!hasSucceeded(end.verdict.state)) return { type: 'stands', reason: reasonOf(end) };
    const tasks = undoneTasks(this.plan, undoneNodes(plan, replay(journal), undo));
    this.#record(this.#journal, { type: 'undone', at: time.clock.now(), tasks });
    judge.rolledBack(this.id, id, sentIn(journal));
    this.#rollback = undefined;
    return { type: 'done', left: [] };
  }

  /** As the command decides it: eggo takes back what a failed creation made, and nodes that could not join. */
  #undoAfter({ state, isolated }: OperationVerdict): Undo | undefined {
    const { operation, nodes } = this.#asked;
    if (this.#world.shape.format !== 'eggo') return undefined;
    const undo = undoOf(this.plan, replay(this.#journal), this.id);
    const isWanted = (node: string): boolean =>
      operation === 'cluster.create'
        ? state === 'Failed'
        : operation === 'node.join' && nodes.includes(node) && isolated.has(node);
    const touched = undo.touched.filter(isWanted);
    if (touched.length === 0) return undefined;
    return { ...undo, touched, made: undo.made.filter((node) => touched.includes(node)) };
  }

  async #work(
    id: string,
    plan: MachinePlan,
    journal: JournalRecord[],
    death: DeathAtRecord | undefined,
  ): Promise<RunEnd | 'killed'> {
    const { time, machines, artifacts, seed, shape, digest } = this.#world;
    this.#starts += 1;
    this.operator = new SimOperator({
      time,
      machines,
      id,
      plan,
      nodes: declarationOf(shape, this.#asked.version).cluster.nodes,
      journal,
      artifacts,
      seed: seed + this.#starts,
      death,
      digest,
    });
    return this.operator.run();
  }
}

/** The scripts that an operator was about to start, by its journal. */
const sentIn = (journal: readonly JournalRecord[]): readonly { node: string; step: string }[] =>
  journal.flatMap((record) => (record.type === 'intent' ? [{ node: record.node, step: record.step }] : []));

/** What the command prints; empty: it says nothing, which it must not. */
function reasonOf(end: RunEnd): string {
  switch (end.type) {
    case 'locked':
    case 'taken-over':
      return end.message;
    case 'unreachable':
      return [...end.failures.values()].join(' ');
    case 'ended': {
      const { state, failures, isolated } = end.verdict;
      if (state === 'Cancelled') return 'cancelled';
      const why = failures.map(({ outcome }) => ('message' in outcome ? outcome.message : outcome.type));
      return [...why, ...isolated.values()].join(' ');
    }
  }
}
