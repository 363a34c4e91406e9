import type { Type as TypeBox } from 'typebox';

/** The functions of TypeBox that kinds are written with. */
type Makers = Pick<
  typeof TypeBox,
  'Array' | 'Boolean' | 'Integer' | 'Number' | 'Object' | 'Optional' | 'Record' | 'String' | 'Unsafe'
>;

/** Not enumerable, so that it is not printed. */
const optionalMark = '~optional';

const make = (own: object, options: unknown): unknown => ({ ...own, ...(options as object | undefined) });

const makers: Readonly<
  Record<keyof Makers, (first?: unknown, second?: unknown, third?: unknown) => unknown>
> = {
  Array: (items, options) => make({ type: 'array', items }, options),
  Boolean: (options) => make({ type: 'boolean' }, options),
  Integer: (options) => make({ type: 'integer' }, options),
  Number: (options) => make({ type: 'number' }, options),
  Object: (properties, options) => {
    const required = Object.entries(properties as object)
      .filter(([, field]) => !(optionalMark in (field as object)))
      .map(([name]) => name);
    return make({ type: 'object', ...(required.length > 0 && { required }), properties }, options);
  },
  Optional: (schema) => Object.defineProperty(make({}, schema), optionalMark, { value: true }),
  Record: (_key, value, options) => make({ type: 'object', patternProperties: { '^.*$': value } }, options),
  String: (options) => make({ type: 'string' }, options),
  Unsafe: (schema) => make({}, schema),
};

/**
 * Schema values with TypeBox's types. The values are plain JSON Schema, so a process that starts does not have
 * to load the 370 modules of TypeBox for them.
 */
export const Type = makers as Makers;
