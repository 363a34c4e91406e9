import { isArray, isNumber, isObject, type Json, type JsonObject } from '#base/json.ts';
import type { BuiltinType, SpecialForm } from '#schema/types/builtin-type.ts';
import { builtinType } from '#schema/types/builtin-types.ts';
import { cannotUnmarshal, kindOfJson, noteFault, startInside, type Decoding } from './go-decoding.ts';
import { quantityFault } from './literal-faults.ts';
import { timeFault } from './time-fault.ts';

export type FormInput = {
  readonly type: BuiltinType;
  readonly value: Json;
  /** Checks the members of a struct; handed in so that imports go one way. */
  readonly checkStruct: (decoding: Decoding, type: BuiltinType, object: JsonObject) => void;
};

type FormCheck = (decoding: Decoding, input: FormInput) => void;

/** How Go reads the types that have a JSON form of their own. */
export const formChecks: Readonly<Record<SpecialForm, FormCheck>> = {
  time: (decoding, { value }) => checkTime(decoding, value, 'time'),
  microtime: (decoding, { value }) => checkTime(decoding, value, 'microtime'),
  quantity: (decoding, { value }) => {
    const text = typeof value === 'string' ? value.trim() : isNumber(value) ? String(value) : '';
    decoding.final = quantityFault(text);
  },
  intOrString: (decoding, { value }) => {
    if (typeof value === 'string') return;
    const fits = typeof value === 'number' && (value | 0) === value;
    const found = isNumber(value) ? `number ${value}` : kindOfJson(value);
    if (!fits) decoding.final = cannotUnmarshal(decoding, found, 'int32');
  },
  raw: () => undefined,
  json: () => undefined,
  list: (decoding, { type, value }) => {
    if (isArray(value)) checkTexts(decoding, value);
    else noteFault(decoding, kindOfJson(value), type.goType);
  },
  schemaOrArray: (decoding, input) => {
    const schemas = isArray(input.value) ? input.value : [input.value];
    for (const each of schemas) checkSchema(decoding, input, each);
  },
  schemaOrBool: (decoding, input) => {
    if (isObject(input.value)) checkSchema(decoding, input, input.value);
    else if (typeof input.value !== 'boolean') decoding.final = 'boolean or JSON schema expected';
  },
  schemaOrStrings: (decoding, input) => {
    if (!isArray(input.value)) return checkSchema(decoding, input, input.value);
    const inside = startInside(decoding);
    checkTexts(inside, input.value);
    decoding.final ??= inside.first;
  },
};

function checkTime(decoding: Decoding, value: Json, form: 'time' | 'microtime'): void {
  decoding.final =
    typeof value === 'string'
      ? timeFault(value, form)
      : cannotUnmarshal(decoding, kindOfJson(value), 'string');
}

function checkTexts(decoding: Decoding, values: readonly Json[]): void {
  for (const each of values) {
    if (typeof each !== 'string' && each !== null) noteFault(decoding, kindOfJson(each), 'string');
  }
}

function checkSchema(decoding: Decoding, { type, checkStruct }: FormInput, value: Json): void {
  const schema = builtinType(type.name.replace(/Or\w+$/, ''));
  if (schema === undefined || !isObject(value)) return;
  const inside = startInside(decoding);
  checkStruct(inside, schema, value);
  decoding.final ??= inside.final ?? inside.first;
}
