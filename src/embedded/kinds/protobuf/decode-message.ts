import type { Json, JsonObject, MutableJsonObject } from '#base/json.ts';
import type { BuiltinType } from '#schema/types/builtin-type.ts';
import { builtinType } from '#schema/types/builtin-types.ts';
import { zeroOfType } from '#schema/types/presence.ts';
import { planOf, type MessagePlan, type SlotStep, type FieldStep } from './plan.ts';
import { malformed } from './protobuf-error.ts';
import { isPackable, readScalar, wireTypeOf, zeroOfScalar } from './scalars.ts';
import { readSpecial } from './special-forms.ts';
import { readText, readVarint, skipField, wireBytes, within, type Cursor } from './wire.ts';

/** The state of reading one body. */
export type MessageReader = Cursor & {
  /** Messages met so far, and how deep the present one is. */
  messages: number;
  level: number;
  /** Reads bytes that hold JSON, or an object in an envelope of its own. */
  readonly raw: (bytes: Uint8Array) => Json;
};

/** Deeper than any real object; schemas within schemas are the deepest. */
const mostLevels = 100;
/** Few bytes can hold many empty messages, each of which becomes an object. */
const mostMessages = 250_000;

/** Reads the message between the present position and its end as the JSON of `type`. */
export function decodeMessage(reading: MessageReader, type: BuiltinType): Json {
  if (reading.level >= mostLevels) throw malformed(`messages are nested deeper than ${mostLevels} levels`);
  if (reading.messages >= mostMessages) throw malformed(`there are more than ${mostMessages} messages`);
  reading.level += 1;
  reading.messages += 1;
  const value = type.special === undefined ? readStruct(reading, type) : readForm(reading, type);
  reading.level -= 1;
  return value;
}

function readForm(reading: MessageReader, type: BuiltinType): Json {
  return readSpecial(reading, type, {
    raw: reading.raw,
    message: (name) => within(reading, () => decodeMessage(reading, builtinType(name) ?? type)),
  });
}

function readStruct(reading: MessageReader, type: BuiltinType): JsonObject {
  const plan = planOf(type);
  const slots: (Json | undefined)[] = [];
  slots.length = plan.members.length;
  readSteps(reading, plan.steps, slots);
  return assemble(plan, slots);
}

function readSteps(
  reading: MessageReader,
  steps: readonly (FieldStep | undefined)[],
  slots: (Json | undefined)[],
): void {
  while (reading.at < reading.end) {
    const tag = readVarint(reading);
    const number = Math.floor(tag / 8);
    if (number <= 0) throw malformed(`illegal field number ${number}`);
    const step = steps[number];
    if (step === undefined) skipField(reading, tag & 7);
    else if (step.type === 'slot') readSlot(reading, tag & 7, step, slots);
    else {
      expectWireType(tag & 7, wireBytes, step.name);
      within(reading, () => readSteps(reading, step.steps, slots));
    }
  }
}

function readSlot(
  reading: MessageReader,
  wireType: number,
  step: SlotStep,
  slots: (Json | undefined)[],
): void {
  switch (step.field.container) {
    case 'none':
      slots[step.slot] = readValue(reading, wireType, step);
      return;
    case 'list':
      readItems(reading, wireType, step, slots);
      return;
    case 'map':
      expectWireType(wireType, wireBytes, step.field.name);
      within(reading, () => readEntry(reading, step, (slots[step.slot] ??= {}) as MutableJsonObject));
      return;
  }
}

function readValue(reading: MessageReader, wireType: number, { field, value }: SlotStep): Json {
  expectWireType(wireType, value === undefined ? wireTypeOf(field.type) : wireBytes, field.name);
  if (value === undefined) return readScalar(reading, field.type);
  return within(reading, () => decodeMessage(reading, value));
}

/** One item, or a run of packed numbers, which may be empty. */
function readItems(
  reading: MessageReader,
  wireType: number,
  step: SlotStep,
  slots: (Json | undefined)[],
): void {
  const { type } = step.field;
  const list = (): Json[] => (slots[step.slot] ??= []) as Json[];
  if (wireType !== wireBytes || step.value !== undefined || !isPackable(type)) {
    list().push(readValue(reading, wireType, step));
    return;
  }
  within(reading, () => {
    while (reading.at < reading.end) list().push(readScalar(reading, type));
  });
}

const keyTag = 0x0a;

function readEntry(reading: MessageReader, step: SlotStep, map: MutableJsonObject): void {
  let key = '';
  let value: Json | undefined;
  while (reading.at < reading.end) {
    const tag = readVarint(reading);
    if (tag === keyTag) key = readText(reading);
    else if (Math.floor(tag / 8) === 2) value = readValue(reading, tag & 7, step);
    else skipField(reading, tag & 7);
  }
  setMember(
    map,
    key,
    value ?? (step.value === undefined ? zeroOfScalar(step.field.type) : zeroOfType(step.value)),
  );
}

/** A plain assignment would take this one name for the prototype. */
function setMember(object: MutableJsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}

function expectWireType(wireType: number, expected: number, name: string): void {
  if (wireType !== expected) throw malformed(`wrong wire type ${wireType} for field ${name}`);
}

function assemble({ members }: MessagePlan, slots: readonly (Json | undefined)[]): JsonObject {
  const object: MutableJsonObject = {};
  let slot = 0;
  for (const { name, absent, dropsZero } of members) {
    const value = slots[slot] ?? absent;
    if (value !== undefined && !(dropsZero && isZero(value))) object[name] = value;
    slot += 1;
  }
  return object;
}

const isZero = (value: Json): boolean => value === '' || value === 0 || value === false;
