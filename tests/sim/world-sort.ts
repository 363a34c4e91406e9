import type { WorldSize } from './plan-world.ts';

/** The result of a played world. */
export type PlayedWorld = {
  readonly complaints: readonly string[];
  /** Releases, hook runs, operations or instances that were played to their end. */
  readonly histories: number;
  /** What was seen and judged, such as hook calls. */
  readonly judged: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** What happened, line by line: the same for the same plan. */
  readonly trace: readonly string[];
  /** Of every change, call, script and record with its time; empty unless asked for. */
  readonly digest: string;
};

export type PlayOptions = {
  readonly server?: 'model' | 'embedded';
  readonly isTraced?: boolean;
  /** Whether everything that happens goes into a digest. */
  readonly isDigested?: boolean;
};

/** A sort of world: how it is planned, played and made smaller. */
export type WorldSort<Plan> = {
  readonly plan: (seed: number, size?: WorldSize) => Plan;
  readonly play: (plan: Plan, options?: PlayOptions) => Promise<PlayedWorld>;
  /** Plans with less in them. */
  readonly smaller: (plan: Plan) => Iterable<Plan>;
};
