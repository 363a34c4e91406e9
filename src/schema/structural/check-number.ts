import { isInteger, isNumber, type JsonObject } from '#base/json.ts';
import { reportInvalid, type ValidationRun } from './run.ts';

type NumberCheck = (value: number | bigint, run: ValidationRun) => void;

/** multipleOf, minimum and maximum, each reported. */
export function numberChecks(schema: JsonObject): readonly NumberCheck[] {
  const checks: NumberCheck[] = [];
  const { multipleOf, minimum, maximum } = schema;
  if (isNumber(multipleOf) && multipleOf > 0) {
    checks.push((value, run) => {
      if (!isMultiple(value, multipleOf))
        reportInvalid(run, String(value), `should be a multiple of ${multipleOf}`);
    });
  }
  if (isNumber(minimum)) {
    const exclusive = schema['exclusiveMinimum'] === true;
    const should = `should be greater than ${exclusive ? '' : 'or equal to '}${minimum}`;
    checks.push((value, run) => {
      if (exclusive ? value <= minimum : value < minimum) reportInvalid(run, String(value), should);
    });
  }
  if (isNumber(maximum)) {
    const exclusive = schema['exclusiveMaximum'] === true;
    const should = `should be less than ${exclusive ? '' : 'or equal to '}${maximum}`;
    checks.push((value, run) => {
      if (exclusive ? value >= maximum : value > maximum) reportInvalid(run, String(value), should);
    });
  }
  return checks;
}

function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (!isInteger(value) || !isInteger(factor)) return Number.isInteger(Number(value) / Number(factor));
  if (typeof value === 'number' && typeof factor === 'number') return value % factor === 0;
  return BigInt(value) % BigInt(factor) === 0n;
}
