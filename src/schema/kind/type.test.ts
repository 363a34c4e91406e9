import { Type as TypeBox } from 'typebox';
import { expect, test } from 'vitest';
import { Type } from './type.ts';

/** The same schema, made by either. */
const tide = (make: Pick<typeof TypeBox, keyof typeof Type>): unknown => {
  const height = make.Number({ description: 'Metres.', minimum: 0 });
  return make.Object(
    {
      height,
      highest: make.Optional(height),
      name: make.String(),
      isSpring: make.Optional(make.Boolean({ default: false })),
      hours: make.Array(make.Integer({ maximum: 24 }), { maxItems: 2 }),
      harbours: make.Optional(
        make.Record(make.String(), make.String({ maxLength: 63 }), { minProperties: 1 }),
      ),
      moon: make.Unsafe<string>({ type: 'string', enum: ['new', 'full'] }),
      late: make.Optional(make.Unsafe<string>({ type: 'string' })),
      none: make.Optional(make.Object({ only: make.Optional(make.String()) })),
    },
    { description: 'A tide.' },
  );
};

test('schemas are those that TypeBox makes', () => {
  expect(JSON.stringify(tide(Type))).toBe(JSON.stringify(tide(TypeBox)));
});
