import type { Json, JsonObject } from '#base/json.ts';
import { forbidden, type FieldError } from '#kube/field-error.ts';
import { checkCompleteness } from './check-completeness.ts';
import { checkDefaults } from './check-defaults.ts';
import { checkOpenApi, isUnreadable } from './check-openapi.ts';
import { checkStructure } from './check-structural.ts';
import { invalidDump } from './crd-error.ts';
import { remembered } from './remembered.ts';

/** Everything about one openAPIV3Schema, given whether its status is a subresource. */
export function checkSchema(
  schema: JsonObject,
  { path, status }: { path: string; status: boolean },
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (status) checkRoot(schema, path, errors);
  if (schema['nullable'] === true)
    errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  for (const each of openApiErrors(schema, path)) errors.push(each);
  if (isUnreadableWithin(schema)) return errors;

  const structural = structuralViolations(schema, path);
  if (structural.length > 0) return [...errors, ...structural];
  return [...errors, ...defaultErrors(schema, path)];
}

type SchemaErrors = (schema: JsonObject, path: string) => readonly FieldError[];

/** A check whose errors are computed once per schema and path. */
const cached =
  (name: string, check: (schema: JsonObject, path: string, errors: FieldError[]) => void): SchemaErrors =>
  (schema, path) =>
    remembered(schema, `${name} ${path}`, () => {
      const errors: FieldError[] = [];
      check(schema, path, errors);
      return errors;
    });

const openApiErrors = cached('openapi', (schema, path, errors) =>
  checkOpenApi(schema, { path, root: true, insideMeta: false, noDefaults: '' }, errors),
);
const structureErrors = cached('structure', (schema, path, errors) =>
  checkStructure(schema, { level: 'root', path }, errors),
);
const completenessErrors = cached('completeness', (schema, path, errors) =>
  checkCompleteness({ schema, path }, errors),
);
const defaultErrors = cached('defaults', (schema, path, errors) =>
  checkDefaults(schema, { path, insideMeta: false, root: true }, errors),
);

const isUnreadableWithin = (schema: JsonObject): boolean =>
  remembered(schema, 'unreadable', () => containsUnreadable(schema));

/** The parts of `checkSchema`, which can be computed one at a time before it. */
export const schemaChecks: readonly ((schema: JsonObject, path: string) => unknown)[] = [
  openApiErrors,
  isUnreadableWithin,
  structureErrors,
  completenessErrors,
  defaultErrors,
];

/** Why a schema is not structural; empty when it is. */
export function structuralViolations(schema: JsonObject, path: string): readonly FieldError[] {
  if (clean.has(schema)) return [];
  const errors = [...structureErrors(schema, path), ...completenessErrors(schema, path)];
  if (errors.length === 0) clean.add(schema);
  return errors.toSorted((left, right) => (textOf(left) < textOf(right) ? -1 : 1));
}

const clean = new WeakSet<JsonObject>();

const textOf = ({ field, message }: FieldError): string => `${field}: ${message}`;

const containers = ['properties', 'patternProperties', 'definitions'];

function containsUnreadable(schema: JsonObject): boolean {
  if (isUnreadable(schema)) return true;
  return Object.entries(schema).some(([keyword, value]) => {
    if (typeof value !== 'object' || value === null || keyword === 'default' || keyword === 'enum')
      return false;
    const inside: readonly Json[] =
      containers.includes(keyword) || Array.isArray(value) ? Object.values(value) : [value];
    return inside.some(
      (each) => typeof each === 'object' && each !== null && containsUnreadable(each as JsonObject),
    );
  });
}

const allowedAtRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';
const allowedKeywords: ReadonlySet<string> = new Set([
  ...allowedAtRoot.split(' ').map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
]);

/** With a status subresource the schema of status must stand on its own. */
function checkRoot(schema: JsonObject, path: string, errors: FieldError[]): void {
  const type = schema['type'];
  if (typeof type === 'string' && type !== '' && type !== 'object') {
    const why =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.push(invalidDump(`${path}.type`, JSON.stringify(type), why));
  }
  if (Object.keys(schema).every((keyword) => allowedKeywords.has(keyword) || keyword === 'nullable')) return;
  const why = `only [${allowedAtRoot}] fields are allowed at the root of the schema if the status subresource is enabled`;
  errors.push(invalidDump(path, `apiextensions.JSONSchemaProps${JSON.stringify(Object.keys(schema))}`, why));
}
