import type { BuiltinField, BuiltinType } from '#schema/types/builtin-type.ts';
import { builtinType, typeOfField } from '#schema/types/builtin-types.ts';
import { absentValue } from '#schema/types/presence.ts';
import type { Json } from '#base/json.ts';
import { memoizeByObject } from '#base/memoize.ts';

/** One member of the JSON object that a message becomes. */
export type Member = {
  readonly name: string;
  /** Written when the message does not have the field. */
  readonly absent: Json | undefined;
  /** A zero that was sent is left out all the same. */
  readonly dropsZero: boolean;
};

/** A field that fills a slot; `value` is its (or its elements') type unless that is a scalar. */
export type SlotStep = {
  readonly type: 'slot';
  readonly slot: number;
  readonly field: BuiltinField;
  readonly value: BuiltinType | undefined;
};

/** What to do with one field number: fill a slot, or read an inlined message into the same slots. */
export type FieldStep =
  | SlotStep
  | { readonly type: 'inlined'; readonly name: string; readonly steps: readonly (FieldStep | undefined)[] };

/** How to read one struct: slots in the order of the JSON members, steps by field number. */
export type MessagePlan = {
  readonly members: readonly Member[];
  readonly steps: readonly (FieldStep | undefined)[];
};

export const planOf: (type: BuiltinType) => MessagePlan = memoizeByObject((type) => {
  const members: Member[] = [];
  return { members, steps: stepsOf(type, members) };
});

function stepsOf(type: BuiltinType, members: Member[]): readonly (FieldStep | undefined)[] {
  const steps: (FieldStep | undefined)[] = [];
  for (const field of type.fields) {
    const inner = field.inlined ? builtinType(field.type) : undefined;
    steps[field.number] =
      inner === undefined
        ? { type: 'slot', slot: members.push(memberOf(field)) - 1, field, value: typeOfField(field) }
        : { type: 'inlined', name: field.name, steps: stepsOf(inner, members) };
  }
  return steps;
}

const memberOf = (field: BuiltinField): Member => ({
  name: field.name,
  absent: absentValue(field),
  dropsZero:
    field.omitEmpty && !field.pointer && field.container === 'none' && typeOfField(field) === undefined,
});
