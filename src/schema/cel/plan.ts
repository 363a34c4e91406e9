import type { Checked } from './check.ts';
import type { Bind, CallExpr, Expr } from './expr.ts';
import { nextSlot, type Names, type Planner, type CelProgram, type EvalStep } from './frame.ts';
import { charge } from './meter.ts';
import { planCall } from './plan-call.ts';
import { planFold } from './plan-fold.ts';
import { selectField, selectOptional, testField } from './plan-select.ts';
import {
  dictOf,
  failed,
  isBoxed,
  isError,
  keyText,
  listOf,
  none,
  noSuchOverload,
  some,
  type CelValue,
} from './value.ts';

/** The program of a checked expression; `variables` are given to it in this order. */
export function planExpression(checked: Checked, variables: readonly string[]): CelProgram {
  const planner: Planner = { checked, plan: (expr, names) => plan(planner, expr, names) };
  let names: Names | undefined;
  variables.forEach((name, slot) => {
    names = { name, slot, outer: names };
  });
  const step = planner.plan(checked.expr, names);
  return (meter, values) => step({ meter, slots: [...values] });
}

function plan(planner: Planner, expr: Expr, names: Names | undefined): EvalStep {
  const typeName = planner.checked.typeNames.get(expr);
  if (typeName !== undefined) return constant({ kind: 'type', name: typeName }, 1);
  switch (expr.op) {
    case 'literal':
      return constant(expr.value, 0);
    case 'ident':
      return planIdent(expr.name, names);
    case 'select': {
      const operand = planner.plan(expr.operand, names);
      return expr.test ? testField(operand, expr.field) : selectField(operand, expr.field);
    }
    case 'call':
      return planOperator(planner, expr, names) ?? planCall(planner, expr, names);
    case 'list':
      return planList(expr.items.map((each) => planner.plan(each, names)));
    case 'map':
      return planMap(
        expr.entries.map(([key, value]) => [planner.plan(key, names), planner.plan(value, names)] as const),
      );
    case 'fold':
      return planFold(planner, expr, names);
    case 'bind':
      return planBind(planner, expr, names);
  }
}

function constant(value: CelValue, cost: number): EvalStep {
  if (cost === 0) return () => value;
  return ({ meter }) => {
    charge(meter, cost);
    return value;
  };
}

function planIdent(name: string, names: Names | undefined): EvalStep {
  let found = names;
  while (found !== undefined && found.name !== name) found = found.outer;
  const slot = found?.slot ?? -1;
  const missing = failed(`no such attribute(s): ${name}`);
  return ({ meter, slots }) => {
    charge(meter, 1);
    const value = slots[slot];
    return value === undefined ? missing : value;
  };
}

/** The operators that do not evaluate all their arguments. */
function planOperator(
  { plan: part }: Planner,
  expr: CallExpr,
  names: Names | undefined,
): EvalStep | undefined {
  const [first, second, third] = expr.args;
  if (first === undefined || second === undefined) return undefined;
  const left = part(first, names);
  if (expr.name === '_?._')
    return selectOptional(
      left,
      second.op === 'literal' && typeof second.value === 'string' ? second.value : '',
    );
  if (expr.name === '_&&_') return planLogic(left, part(second, names), false);
  if (expr.name === '_||_') return planLogic(left, part(second, names), true);
  if (expr.name !== '_?_:_' || third === undefined) return undefined;
  return planChoice(left, part(second, names), part(third, names));
}

/** `&&` and `||`: a side that decides wins over an error on the other side. */
function planLogic(left: EvalStep, right: EvalStep, decides: boolean): EvalStep {
  return (frame) => {
    const a = left(frame);
    if (a === decides) return decides;
    const b = right(frame);
    if (b === decides) return decides;
    if (a === !decides && b === !decides) return !decides;
    if (isError(a)) return a;
    return isError(b) ? b : noSuchOverload;
  };
}

function planChoice(condition: EvalStep, yes: EvalStep, no: EvalStep): EvalStep {
  return (frame) => {
    const test = condition(frame);
    if (test === true) return yes(frame);
    if (test === false) return no(frame);
    return isError(test) ? test : noSuchOverload;
  };
}

function planList(items: readonly EvalStep[]): EvalStep {
  return (frame) => {
    const values: CelValue[] = [];
    for (const item of items) {
      const value = item(frame);
      if (isError(value)) return value;
      values.push(value);
    }
    charge(frame.meter, 10);
    return listOf(values);
  };
}

function planMap(entries: readonly (readonly [EvalStep, EvalStep])[]): EvalStep {
  return (frame) => {
    const values: (readonly [CelValue, CelValue])[] = [];
    const seen = new Set<string>();
    for (const [keyStep, valueStep] of entries) {
      const key = keyStep(frame);
      if (isError(key)) return key;
      const value = valueStep(frame);
      if (isError(value)) return value;
      if (seen.has(keyText(key))) return failed('Failed with repeated key');
      seen.add(keyText(key));
      values.push([key, value]);
    }
    charge(frame.meter, 30);
    return dictOf(values);
  };
}

function planBind({ plan: part }: Planner, expr: Bind, names: Names | undefined): EvalStep {
  const target = part(expr.target, names);
  const slot = nextSlot(names);
  const body = part(expr.body, { name: expr.variable, slot, outer: names });
  return (frame) => {
    const optional = target(frame);
    if (isError(optional)) return optional;
    if (!isBoxed(optional) || optional.kind !== 'optional') return noSuchOverload;
    charge(frame.meter, 13);
    if (optional.value === undefined) return none;
    frame.slots[slot] = optional.value;
    const value = body(frame);
    return expr.flat || isError(value) ? value : some(value);
  };
}
