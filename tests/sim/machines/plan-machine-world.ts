import { seededRandom, type Random } from '#base/random.ts';
import { below, pick } from '../choice.ts';
import { withLostNetworks } from './plan-offline.ts';
import { workerName, type SimClusterShape, type SimFormat, type SimOperation } from './sim-cluster-plan.ts';
import type { ScriptFaultShares } from './sim-machines.ts';
import type { DeathAtRecord } from './sim-operator.ts';

/** Something that happens to a machine, an operator or a user, so many seconds after an operation began. */
export type MachineHappening = { readonly after: number } & (
  | { readonly type: 'cut' | 'crash' | 'down'; readonly node: string; readonly seconds: number }
  | { readonly type: 'kill'; readonly isNoticed: boolean }
  | { readonly type: 'cancel' | 'retry' }
  | { readonly type: 'rival' }
  /** The operator has no network; others have. */
  | { readonly type: 'offline'; readonly seconds: number }
  | { readonly type: 'clock'; readonly seconds: number }
);

export type OperationRound = {
  readonly asked: SimOperation;
  readonly happenings: readonly MachineHappening[];
  readonly shares: ScriptFaultShares;
  /** The first operators of the operation die at these records. */
  readonly deaths: readonly DeathAtRecord[];
};

export type MachineWorldPlan = {
  readonly seed: number;
  readonly shape: SimClusterShape;
  readonly rounds: readonly OperationRound[];
};

export function planMachineWorld(seed: number): MachineWorldPlan {
  const random = seededRandom(seed * 7919 + 17);
  const format: SimFormat = random.next() < 0.5 ? 'eggo' : 'tkestack';
  const shape = { format, masters: 1 + below(random, 2), workers: 1 + below(random, 2) };
  const middle: readonly SimOperation[] = [
    { operation: 'cluster.upgrade', nodes: [], version: '1.34.2' },
    { operation: 'node.delete', nodes: [workerName(0)], version: '1.33.4' },
  ];
  const chosen = pick(random, middle);
  const asked: readonly SimOperation[] = [
    { operation: 'cluster.create', nodes: [], version: '1.33.4' },
    chosen,
    ...(chosen.operation === 'node.delete'
      ? [{ operation: 'node.join', nodes: [workerName(0)], version: '1.33.4' } as const]
      : []),
    ...(random.next() < 0.5
      ? [{ operation: 'cluster.delete', nodes: [], version: chosen.version } as const]
      : []),
  ];
  return withLostNetworks({ seed, shape, rounds: asked.map((each) => roundOf(random, shape, each)) });
}

function roundOf(random: Random, shape: SimClusterShape, asked: SimOperation): OperationRound {
  const names = [
    ...Array.from({ length: shape.masters }, (_, at) => `master-${at}`),
    ...Array.from({ length: shape.workers }, (_, at) => workerName(at)),
  ];
  const hasFaults = random.next() < 0.8;
  return {
    asked,
    happenings: hasFaults ? Array.from({ length: below(random, 5) }, () => happening(random, names)) : [],
    shares: hasFaults
      ? {
          fail: pick(random, [0, 0, 0.1, 0.3]),
          cutAtStart: pick(random, [0, 0, 0.2]),
          cutAtEnd: pick(random, [0, 0.1, 0.3]),
          slow: pick(random, [0, 0.1]),
        }
      : { fail: 0, cutAtStart: 0, cutAtEnd: 0, slow: 0 },
    deaths: Array.from({ length: hasFaults ? below(random, 3) : 0 }, () => ({
      record: 1 + below(random, 40),
      isKept: random.next() < 0.5,
    })),
  };
}

function happening(random: Random, names: readonly string[]): MachineHappening {
  const after = below(random, 150);
  const node = pick(random, names);
  switch (below(random, 8)) {
    case 0:
      return { after, type: 'cut', node, seconds: 0 };
    case 1:
      return { after, type: 'crash', node, seconds: 5 + below(random, 60) };
    case 2:
      return { after, type: 'down', node, seconds: 5 + below(random, 90) };
    case 3:
      return { after, type: 'kill', isNoticed: random.next() < 0.5 };
    case 4:
      return { after, type: 'cancel' };
    case 5:
      return { after, type: 'retry' };
    case 6:
      return { after, type: 'clock', seconds: (random.next() < 0.5 ? -1 : 1) * below(random, 7200) };
    default:
      return { after, type: 'rival' };
  }
}
