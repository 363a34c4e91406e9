import type { Expr, Fold } from './expr.ts';
import { charge } from './meter.ts';
import { nextSlot, type EvalFrame, type Names, type Planner, type EvalStep } from './frame.ts';
import { isBoxed, isError, listOf, noSuchOverload, type CelError, type CelValue } from './value.ts';

/** A loop over the items of a list or the keys of a map. The numbers are what the server charges for its parts. */
export function planFold({ plan }: Planner, expr: Fold, names: Names | undefined): EvalStep {
  const range = plan(expr.range, names);
  const slot = nextSlot(names);
  const inner: Names = { name: expr.variable, slot, outer: names };
  const part = (each: Expr | undefined): EvalStep | undefined =>
    each === undefined ? undefined : plan(each, inner);
  const loop: Loop = {
    range,
    slot,
    predicate: part(expr.predicate) ?? always,
    transform: part(expr.transform),
  };
  switch (expr.macro) {
    case 'all':
      return quantifier(loop, { decides: false, cost: 3 });
    case 'exists':
      return quantifier(loop, { decides: true, cost: 4 });
    case 'exists_one':
      return existsOne(loop);
    case 'map':
    case 'filter':
      return gather(loop);
  }
}

type Loop = {
  readonly range: EvalStep;
  readonly slot: number;
  readonly predicate: EvalStep;
  readonly transform: EvalStep | undefined;
};

const always: EvalStep = () => true;

type Sequence = { readonly length: number; readonly at: (index: number) => CelValue };

/** What is looped over; an error when it cannot be. */
function sequenceOf(value: CelValue): Sequence | CelError {
  if (!isBoxed(value)) return noSuchOverload;
  if (value.kind === 'error' || value.kind === 'list') return value;
  if (value.kind !== 'map') return noSuchOverload;
  const keys = value.keys();
  return { length: keys.length, at: (index) => keys[index] ?? null };
}

const isFailure = (value: Sequence | CelError): value is CelError =>
  'kind' in value && value.kind === 'error';

/** Stops at the first item that decides; an error counts only when none does. */
function quantifier(
  { range, slot, predicate }: Loop,
  { decides, cost }: { decides: boolean; cost: number },
): EvalStep {
  return (frame) => {
    const items = sequenceOf(range(frame));
    if (isFailure(items)) return items;
    let failure: CelError | undefined;
    for (let i = 0; i < items.length; i++) {
      const answer = test(frame, { slot, predicate, cost }, items.at(i));
      if (answer === decides) return finish(frame, decides, 1);
      if (typeof answer !== 'boolean') failure ??= isError(answer) ? answer : noSuchOverload;
    }
    return finish(frame, failure ?? !decides, 1);
  };
}

type Test = { readonly slot: number; readonly predicate: EvalStep; readonly cost: number };

function test(frame: EvalFrame, { slot, predicate, cost }: Test, item: CelValue): CelValue {
  charge(frame.meter, cost);
  frame.slots[slot] = item;
  return predicate(frame);
}

function finish(frame: EvalFrame, result: CelValue, cost: number): CelValue {
  charge(frame.meter, cost);
  return result;
}

function existsOne({ range, slot, predicate }: Loop): EvalStep {
  return (frame) => {
    const items = sequenceOf(range(frame));
    if (isFailure(items)) return items;
    let count = 0;
    for (let i = 0; i < items.length; i++) {
      const answer = test(frame, { slot, predicate, cost: 1 }, items.at(i));
      if (isError(answer)) return answer;
      if (typeof answer !== 'boolean') return noSuchOverload;
      if (!answer) continue;
      charge(frame.meter, 1);
      count++;
    }
    return finish(frame, count === 1, 2);
  };
}

function gather({ range, slot, predicate, transform }: Loop): EvalStep {
  return (frame) => {
    const items = sequenceOf(range(frame));
    if (isFailure(items)) return items;
    const kept: CelValue[] = [];
    for (let i = 0; i < items.length; i++) {
      const item = items.at(i);
      const answer = test(frame, { slot, predicate, cost: 1 }, item);
      if (isError(answer)) return answer;
      if (typeof answer !== 'boolean') return noSuchOverload;
      if (!answer) continue;
      charge(frame.meter, transform === undefined ? 12 : 11);
      const value = transform === undefined ? item : transform(frame);
      if (isError(value)) return value;
      kept.push(value);
    }
    return finish(frame, listOf(kept), 1);
  };
}
