import type { Json, JsonObject } from '#base/json.ts';
import { wrongType } from './check-type.ts';
import { formatCheck } from '#schema/formats/formats.ts';
import { patternOf } from './pattern.ts';
import { report, reportInvalid, type ValidationRun } from './run.ts';

type TextCheck = (text: string, run: ValidationRun) => void;

/** maxLength, minLength and pattern (the first that fails), then format. */
export function textChecks(schema: JsonObject): readonly TextCheck[] {
  const checks: TextCheck[] = [];
  const [most, least, pattern] = [schema['maxLength'], schema['minLength'], schema['pattern']];
  if (typeof most === 'number' || typeof least === 'number' || isText(pattern)) {
    checks.push(lengthAndPattern({ most, least, pattern }));
  }
  const format = schema['format'];
  const check = typeof format === 'string' ? formatCheck(format) : undefined;
  if (typeof format === 'string' && check !== undefined) {
    checks.push((text, run) => {
      if (!check(text)) wrongType(run, format, text);
    });
  }
  return checks;
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

type Limits = {
  readonly most: Json | undefined;
  readonly least: Json | undefined;
  readonly pattern: Json | undefined;
};

function lengthAndPattern({ most, least, pattern }: Limits): TextCheck {
  return (text, run) => {
    if (typeof most === 'number' && longerThan(text, most)) {
      report(run, 'FieldValueTooLong', `Too long: may not be more than ${most} bytes`);
    } else if (typeof least === 'number' && least > 0 && !longerThan(text, least - 1)) {
      reportInvalid(run, JSON.stringify(text), `should be at least ${least} chars long`);
    } else if (isText(pattern)) {
      matchPattern(text, pattern, run);
    }
  };
}

/** Lengths count code points. Most texts need no counting. */
function longerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let count = 0;
  for (const _ of text) if (++count > limit) return true;
  return false;
}

function matchPattern(text: string, source: string, run: ValidationRun): void {
  const pattern = patternOf(source);
  const answer = pattern.type === 'good' ? pattern.matches(text) : 'no';
  if (answer === 'yes') return;
  const should = answer === 'no' ? `should match '${source}'` : `is too long to be matched with '${source}'`;
  reportInvalid(run, JSON.stringify(text), should);
}
