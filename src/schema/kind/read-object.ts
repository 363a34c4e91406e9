import { at, isObject, type Json, type JsonObject } from '#base/json.ts';
import { notSupported, typeInvalid, type FieldError } from '#kube/field-error.ts';
import { objectSchema } from './crd.ts';
import { apiVersionOfKind, type Kind, type ObjectOf } from './kind.ts';

/** A structural schema made ready; `compileSchema` of kube, which the API server uses for everyone's kinds, fits. */
type ReadySchema = {
  prune(object: JsonObject): JsonObject;
  defaults(object: JsonObject): JsonObject;
  validate(object: JsonObject): readonly FieldError[];
};
type MakeReady = (schema: JsonObject) => ReadySchema;

export type Decoded<Value> =
  | { readonly type: 'decoded'; readonly object: Value }
  | { readonly type: 'refused'; readonly errors: readonly FieldError[] };

/**
 * Makes the decoder of a kind's objects: unknown fields are dropped, defaults are filled in, the
 * rest is checked, in the order of the API server. The work on the schema is done once, here.
 */
export function decoderOf<K extends Kind>(
  kind: K,
  makeReady: MakeReady,
): (input: Json) => Decoded<ObjectOf<K>> {
  const schema = makeReady(objectSchema(kind));
  return (input) => {
    if (!isObject(input)) return { type: 'refused', errors: [typeInvalid('', input, 'must be an object')] };
    const object = schema.defaults(schema.prune(input));
    const errors = [...wrongType(kind, input), ...schema.validate(object)];
    // The value has passed the schema from which its type is inferred.
    return errors.length > 0
      ? { type: 'refused', errors }
      : { type: 'decoded', object: object as unknown as ObjectOf<K> };
  };
}

function wrongType(kind: Kind, object: JsonObject): readonly FieldError[] {
  const expected = { apiVersion: apiVersionOfKind(kind), kind: kind.kind };
  return Object.entries(expected)
    .filter(([field, value]) => at(object, field) !== value)
    .map(([field, value]) => notSupported(field, at(object, field), [value]));
}
