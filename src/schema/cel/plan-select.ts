import { charge } from './meter.ts';
import type { EvalStep } from './frame.ts';
import { failed, isBoxed, isError, none, noSuchOverload, some, type CelValue } from './value.ts';

/** `x.field`. A field of an optional is optional. */
export function selectField(operand: EvalStep, field: string): EvalStep {
  const missing = failed(`no such key: ${field}`);
  return (frame) => {
    const value = operand(frame);
    charge(frame.meter, 1);
    if (!isBoxed(value)) return noSuchOverload;
    if (value.kind === 'map') return orElse(value.find(field), missing);
    if (value.kind === 'error') return value;
    return value.kind === 'optional' ? optionalField(value, field) : noSuchOverload;
  };
}

/** A member of a map may be there and be null. */
const orElse = (value: CelValue | undefined, missing: CelValue): CelValue =>
  value === undefined ? missing : value;

/** `has(x.field)` */
export function testField(operand: EvalStep, field: string): EvalStep {
  return (frame) => {
    const value = operand(frame);
    if (!isBoxed(value)) return noSuchOverload;
    if (value.kind === 'map') return value.find(field) !== undefined;
    if (value.kind === 'error') return value;
    if (value.kind !== 'optional') return noSuchOverload;
    const inner = optionalField(value, field);
    return isBoxed(inner) && inner.kind === 'optional' ? inner.value !== undefined : inner;
  };
}

/** `x.?field` */
export function selectOptional(operand: EvalStep, field: string): EvalStep {
  return (frame) => {
    const value = operand(frame);
    charge(frame.meter, 1);
    if (!isBoxed(value)) return noSuchOverload;
    if (value.kind === 'map') return optionalOf(value.find(field));
    if (value.kind === 'error') return value;
    return value.kind === 'optional' ? optionalField(value, field) : noSuchOverload;
  };
}

const optionalOf = (value: CelValue | undefined): CelValue => {
  if (value === undefined) return none;
  return isError(value) ? value : some(value);
};

function optionalField(optional: Extract<CelValue, { kind: 'optional' }>, field: string): CelValue {
  if (optional.value === undefined) return none;
  const inner = optional.value;
  return isBoxed(inner) && inner.kind === 'map' ? optionalOf(inner.find(field)) : noSuchOverload;
}
