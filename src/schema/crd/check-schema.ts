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

/** The parts of that work, to be done one at a time before it is needed. */
export const schemaChecks: readonly ((schema: JsonObject, path: string) => unknown)[] = [
  openApiErrors,
  isUnreadableWithin,
  structureErrors,
  completenessErrors,
  defaultErrors,
];

function openApiErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return remembered(schema, `openapi ${path}`, () => {
    const errors: FieldError[] = [];
    checkOpenApi(schema, { path, root: true, insideMeta: false, noDefaults: '' }, errors);
    return errors;
  });
}

function isUnreadableWithin(schema: JsonObject): boolean {
  return remembered(schema, 'unreadable', () => containsUnreadable(schema));
}

function structureErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return remembered(schema, `structure ${path}`, () => {
    const errors: FieldError[] = [];
    checkStructure(schema, { level: 'root', path }, errors);
    return errors;
  });
}

function completenessErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return remembered(schema, `completeness ${path}`, () => {
    const errors: FieldError[] = [];
    checkCompleteness({ schema, path }, errors);
    return errors;
  });
}

function defaultErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return remembered(schema, `defaults ${path}`, () => {
    const errors: FieldError[] = [];
    checkDefaults(schema, { path, insideMeta: false, root: true }, errors);
    return errors;
  });
}

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
