import type { JsonObject } from '#base/json.ts';
import { reportInvalid, type Run } from './run.ts';

type NumberCheck = (value: number, run: Run) => void;

/** multipleOf, minimum and maximum, each reported. */
export function numberChecks(schema: JsonObject): readonly NumberCheck[] {
  const checks: NumberCheck[] = [];
  const { multipleOf, minimum, maximum } = schema;
  if (typeof multipleOf === 'number' && multipleOf > 0) {
    checks.push((value, run) => {
      if (!isMultiple(value, multipleOf))
        reportInvalid(run, String(value), `should be a multiple of ${multipleOf}`);
    });
  }
  if (typeof minimum === 'number') {
    const exclusive = schema['exclusiveMinimum'] === true;
    const should = `should be greater than ${exclusive ? '' : 'or equal to '}${minimum}`;
    checks.push((value, run) => {
      if (exclusive ? value <= minimum : value < minimum) reportInvalid(run, String(value), should);
    });
  }
  if (typeof maximum === 'number') {
    const exclusive = schema['exclusiveMaximum'] === true;
    const should = `should be less than ${exclusive ? '' : 'or equal to '}${maximum}`;
    checks.push((value, run) => {
      if (exclusive ? value >= maximum : value > maximum) reportInvalid(run, String(value), should);
    });
  }
  return checks;
}

function isMultiple(value: number, factor: number): boolean {
  const ratio = value / factor;
  return Number.isInteger(value) && Number.isInteger(factor) ? value % factor === 0 : Number.isInteger(ratio);
}
