import { costOf } from './cost-standard.ts';
import type { CostRow } from './cost-table.ts';
import type { CallExpr } from './expr.ts';
import { charge, work, type Meter } from './meter.ts';
import type { Overload } from './overload.ts';
import type { Names, Planner, EvalStep } from './frame.ts';
import type { CelType } from './type.ts';
import { isError, kindOf, noSuchOverload, typeNameOf, type CelValue } from './value.ts';

/** An overload ready to be called: its parameters, its cost, its function. */
type Candidate = {
  readonly fits: readonly ((value: CelValue) => boolean)[];
  readonly cost: CostRow;
  readonly call: Overload['call'];
};

/** A call of a function: arguments first, then the overload that fits the values that came out. */
export function planCall({ checked, plan }: Planner, expr: CallExpr, names: Names | undefined): EvalStep {
  const overloads = checked.calls.get(expr) ?? [];
  const member = overloads[0]?.member === true ? expr.target : undefined;
  const parts = member === undefined ? expr.args : [member, ...expr.args];
  const steps = parts.map((each) => plan(each, names));
  const candidates = overloads.map(candidateOf);
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1 && steps.length === 2) return binary(steps, only);
  return (frame) => {
    const args: CelValue[] = [];
    for (const step of steps) {
      const value = step(frame);
      if (isError(value)) return value;
      args.push(value);
    }
    return callFirst(candidates, args, frame.meter);
  };
}

/** Most calls have one overload and two arguments. */
function binary([left, right]: readonly EvalStep[], candidate: Candidate): EvalStep {
  if (left === undefined || right === undefined) return () => noSuchOverload;
  const candidates = [candidate];
  return (frame) => {
    const a = left(frame);
    if (isError(a)) return a;
    const b = right(frame);
    return isError(b) ? b : callFirst(candidates, [a, b], frame.meter);
  };
}

function callFirst(candidates: readonly Candidate[], args: readonly CelValue[], meter: Meter): CelValue {
  for (const { fits, cost, call } of candidates) {
    if (!args.every((each, i) => fits[i]?.(each) ?? false)) continue;
    work(meter, cost.effort === undefined ? lengthEffort(args) : cost.effort(args));
    charge(meter, cost.run === undefined ? 1 : cost.run(args));
    return call(...args);
  }
  charge(meter, 1);
  return noSuchOverload;
}

/** Even what costs nothing walks over its texts. */
function lengthEffort(args: readonly CelValue[]): number {
  let steps = 0;
  for (const each of args) if (typeof each === 'string') steps += each.length >> 3;
  return steps;
}

const candidateOf = (overload: Overload): Candidate => ({
  fits: overload.params.map(fitOf),
  cost: costOf(overload),
  call: overload.call,
});

function fitOf(type: CelType): (value: CelValue) => boolean {
  if (type.kind === 'param' || type.kind === 'dyn') return () => true;
  if (type.kind === 'opaque') return (value) => typeNameOf(value) === type.name;
  return (value) => kindOf(value) === type.kind;
}
