import { compileCondition } from '#hooks/decide/expression/condition.ts';
import { median } from '../apiserver/statistics.ts';
import type { HooksEffort, HooksMeasurement } from './figures.ts';

const rounds = 5;
const atOnce = 10_000;

/** How often a compiled condition is evaluated in a second; the first round only warms up. */
export function evaluations({ evaluateMillis }: HooksEffort): HooksMeasurement {
  const compiled = compileCondition('asInt(result) < 30', 'string');
  if (!compiled.ok) throw new Error('the condition is refused');
  const values = Array.from({ length: 60 }, (_, age) => String(age));
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    let done = 0;
    let held = 0;
    const began = performance.now();
    while (performance.now() - began < evaluateMillis) {
      for (let turn = 0; turn < atOnce; turn++) {
        const outcome = compiled.condition.evaluate(values[turn % values.length] ?? '');
        if (outcome.type === 'bool' && outcome.value) held += 1;
      }
      done += atOnce;
    }
    if (held === 0) throw new Error('the condition never held');
    rates.push(done / ((performance.now() - began) / 1000));
  }
  const counted = rates.slice(1);
  return { id: 'expression', value: median(counted), rounds: counted, details: {} };
}
