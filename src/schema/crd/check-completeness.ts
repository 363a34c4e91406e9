import { objectAt, type JsonObject } from '#base/json.ts';
import { enoughErrors, nameInPath, required, type FieldError } from '#kube/field-error.ts';
import { listedChildren, namedChildren, onlyChild, type Child } from './schema-children.ts';

/** Every field in allOf, anyOf, oneOf and not must also be specified outside of them. */
export function checkCompleteness({ schema, path }: Child, errors: FieldError[]): void {
  if (errors.length >= enoughErrors) return;
  checkJunctors({ schema, path }, { schema, path }, errors);
  const inside = [
    ...onlyChild(schema, 'items', path),
    ...namedChildren(schema, 'properties', path),
    ...onlyChild(schema, 'additionalProperties', path),
  ];
  for (const child of inside) checkCompleteness(child, errors);
}

function checkJunctors(values: Child, structure: Child, errors: FieldError[]): void {
  const { schema, path } = values;
  const inside = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listedChildren(schema, keyword, path)),
    ...onlyChild(schema, 'not', path),
  ];
  for (const child of inside) checkValues(child, structure, errors);
}

function checkValues(values: Child, structure: Child, errors: FieldError[]): void {
  if (errors.length >= enoughErrors) return;
  checkJunctors(values, structure, errors);
  for (const child of onlyChild(values.schema, 'items', values.path)) {
    descend(child, { schema: objectAt(structure.schema, 'items'), path: `${structure.path}.items` }, errors);
  }
  for (const child of namedChildren(values.schema, 'properties', values.path)) {
    const schema = objectAt(structure.schema, 'properties', child.name);
    descend(child, { schema, path: `${structure.path}.properties[${nameInPath(child.name)}]` }, errors);
  }
}

function descend(
  values: Child,
  structure: { schema: JsonObject | undefined; path: string },
  errors: FieldError[],
): void {
  const { schema, path } = structure;
  if (schema === undefined) errors.push(required(path, `because it is defined in ${values.path}`));
  else checkValues(values, { schema, path }, errors);
}
