import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at, isArray, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { hookOpenApi } from './hook-openapi.ts';
import { readReply } from './read-reply.ts';

const document = hookOpenApi();
const schemas = objectAt(document, 'components', 'schemas') ?? {};
const schemaOf = (name: string): Json | undefined => schemas[name];

test('it lists the members, and which are required', () => {
  expect(listAt(schemaOf('ReconcileRequest'), 'required')).toEqual(['object', 'phase', 'capabilities']);
  expect(listAt(schemaOf('RequestObject'), 'required')).toEqual(['apiVersion', 'kind']);
  expect(at(schemaOf('ReconcileRequest'), 'properties', 'phase', 'enum')).toEqual([
    'pre-reconcile',
    'post-reconcile',
    'finalize',
  ]);
  expect(Object.keys(at(schemaOf('ReconcileReply'), 'properties') as object)).toEqual([
    'error',
    'patches',
    'envVars',
    'status',
    'children',
    'object',
    'resyncAfterSeconds',
    'finalized',
  ]);
});

/** What the schema object of OpenAPI 3.0 has, of JSON Schema and of its own. */
const keywords = new Set(
  (
    'title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems ' +
    'uniqueItems maxProperties minProperties required enum type allOf oneOf anyOf not items properties ' +
    'additionalProperties description format default nullable discriminator readOnly writeOnly example deprecated'
  ).split(' '),
);
const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

/** What a validator of OpenAPI 3.0 would complain about. */
function complaints(schema: Json | undefined, path: string): readonly string[] {
  if (!isObject(schema)) return [`${path} is no schema`];
  if (schema['$ref'] !== undefined) return refComplaints(schema, path);
  const { items, additionalProperties: more } = schema;
  const inner: readonly (readonly [string, Json | undefined])[] = [
    ...Object.entries(objectAt(schema, 'properties') ?? {}),
    ...listAt(schema, 'oneOf').map((each, i) => [`oneOf[${i}]`, each] as const),
    ...(items === undefined ? [] : [['items', items] as const]),
    ...(isObject(more) ? [['*', more] as const] : []),
  ];
  return [
    ...ownComplaints(schema).map((each) => `${path}: ${each}`),
    ...inner.flatMap(([key, each]) => complaints(each, `${path}.${key}`)),
  ];
}

function refComplaints(schema: JsonObject, path: string): readonly string[] {
  const [, ...keys] = (textAt(schema, '$ref') ?? '').split('/');
  if (at(document, ...keys) === undefined) return [`${path}: ${keys.join('/')} leads nowhere`];
  return Object.keys(schema).length === 1 ? [] : [`${path}: what stands beside $ref is ignored`];
}

function ownComplaints(schema: JsonObject): readonly string[] {
  const { type, items } = schema;
  const properties = Object.keys(objectAt(schema, 'properties') ?? {});
  return [
    ...Object.keys(schema).flatMap((key) => (keywords.has(key) ? [] : [`${key} is no keyword`])),
    ...(type === undefined || types.some((each) => each === type) ? [] : ['what type is that']),
    ...(type === 'array' && items === undefined ? ['a list of what'] : []),
    ...(listAt(schema, 'required').every((each) => properties.some((name) => name === each))
      ? []
      : ['something is needed that is not there']),
  ];
}

test('it is OpenAPI 3.0: every schema is one, and every reference leads somewhere', () => {
  expect(document).toMatchObject({
    openapi: '3.0.3',
    info: { title: expect.any(String), version: 'v1' },
  });
  for (const [name, schema] of Object.entries(schemas)) {
    expect(name).toMatch(/^[\w.-]+$/);
    expect(complaints(schema, name)).toEqual([]);
  }
  const operation = objectAt(document, 'paths', '/', 'post');
  expect(textAt(operation, 'operationId')).toBe('reconcile');
  for (const parameter of listAt(operation, 'parameters'))
    expect(parameter).toMatchObject({ name: expect.any(String), in: 'header', schema: { type: 'string' } });
  const responses = Object.entries(objectAt(operation, 'responses') ?? {});
  expect(responses.map(([status]) => status)).toEqual(['200', '204', '429', '503', 'default']);
  for (const [, response] of responses) {
    expect(textAt(response, 'description')).toBeTruthy();
    const schema = at(response, 'content', 'application/json', 'schema');
    if (schema !== undefined) expect(complaints(schema, 'response')).toEqual([]);
  }
  const [, schemes = ''] = listAt(document, 'security').map((each) => Object.keys(each as object).join(''));
  expect(objectAt(document, 'components', 'securitySchemes', schemes)).toMatchObject({ type: 'http' });
});

/** The schema of a component with everything that it refers to. */
function whole(schema: Json): Json {
  if (isArray(schema)) return schema.map(whole);
  if (!isObject(schema)) return schema;
  const ref = textAt(schema, '$ref');
  if (ref !== undefined) return whole(at(document, ...ref.slice(2).split('/')) ?? null);
  return Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, whole(each)]));
}

const reply = compileSchema(whole(schemaOf('ReconcileReply') ?? null) as JsonObject);
const example = JSON.parse(
  readFileSync(new URL('../../../examples/reconcile/reply.json', import.meta.url), 'utf8'),
) as JsonObject;

test.for<[string, JsonObject]>([
  ['nothing', {}],
  ['the example before rendering', at(example, 'pre-reconcile') as JsonObject],
  ['the example after it', at(example, 'post-reconcile') as JsonObject],
  ['an error', { error: { message: 'm', permanent: true, halt: false } }],
  ['a JSON patch', { patches: [{ main: [{ op: 'remove', path: '/spec/replicas' }] }] }],
  ['a long patch', { patches: [{ target: 'service', type: 'merge', patch: { metadata: {} } }] }],
  ['two patches', { patches: [{ service: {} }, { serviceAccount: { metadata: { labels: { a: 'b' } } } }] }],
  ['a source', { envVars: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }],
  ['whole children', { children: { deployment: { kind: 'Deployment' } } }],
  ['an instance', { object: { status: { conditions: [] } } }],
  ['patience', { finalized: false, resyncAfterSeconds: 1.5 }],
])('a reply that is read is one of the document: %s', ([, body]) => {
  expect(reply.validate(body)).toEqual([]);
  expect(readReply(JSON.stringify(body), { phase: 'post-reconcile', strict: true }).type).toBe('reply');
});

test.for<[string, JsonObject]>([
  ['a patch for a pod', { patches: [{ pod: {} }] }],
  ['a patch for two', { patches: [{ main: {}, service: {} }] }],
  ['a patch of a strange type', { patches: [{ target: 'main', type: 'sed', patch: {} }] }],
  ['too many patches', { patches: Array.from({ length: 65 }, () => ({ main: {} })) }],
  ['a bad name', { envVars: [{ name: '1 A', value: '' }] }],
  ['a value that is no text', { envVars: [{ name: 'A', value: 1 }] }],
  ['a status of a condition', { status: { conditions: [{ type: 'A', status: 'Yes' }] } }],
  ['an annotation that is no text', { status: { annotations: { a: 1 } } }],
  ['time that runs back', { resyncAfterSeconds: -1 }],
  ['finalized, perhaps', { finalized: 'perhaps' }],
  ['an error that is a text', { error: 'm' }],
])('a reply that is refused is none of the document: %s', ([, body]) => {
  expect(reply.validate(body)).not.toEqual([]);
  expect(readReply(JSON.stringify(body), { phase: 'post-reconcile' }).type).toBe('malformed');
});
