import type { TSchema } from 'typebox';
import type { Json, JsonObject } from '#base/json.ts';
import { isArray, isObject } from '#base/json.ts';
import { toStructuralSchema } from '#api/structural.ts';
import { phaseHeader, requestIdHeader, signatureHeader, timestampHeader } from './hook-headers.ts';
import { ReconcileReplySchema, ReconcileRequestSchema } from './hook-protocol.ts';

/** The hook protocol as an OpenAPI document, from which a server can be generated. */
export function hookOpenApi(): JsonObject {
  return {
    openapi: '3.0.3',
    info: {
      title: 'Boathook reconcile hook',
      version: 'v1',
      license: { name: 'Apache-2.0' },
      description:
        'What a service implements to be asked at every reconciliation. Members that are not listed here may be added to requests: ignore them.',
    },
    servers: [{ url: 'http://my-hook-service', description: 'The address in the registration.' }],
    paths: {
      '/': {
        post: {
          operationId: 'reconcile',
          summary: 'Shape one reconciliation',
          parameters: headers.map(([name, description]) => ({
            name,
            in: 'header',
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: json('ReconcileRequest') },
          responses: {
            200: {
              description: 'What the hook wishes; error says what went wrong.',
              content: json('ReconcileReply'),
            },
            204: { description: 'Fine, no wishes.' },
            429: { description: 'Too much; Retry-After says when to ask again.', headers: retryAfter },
            503: { description: 'Not now; Retry-After says when to ask again.', headers: retryAfter },
            default: {
              description: 'An error. Without a body that says otherwise: stop, and ask again.',
              content: json('ReconcileReply'),
            },
          },
        },
      },
    },
    components: {
      schemas: {
        ReconcileRequest: openApiSchema(ReconcileRequestSchema),
        ReconcileReply: openApiSchema(ReconcileReplySchema),
      },
    },
  };
}

const headers: readonly (readonly [string, string])[] = [
  [requestIdHeader, 'Another for every call.'],
  [phaseHeader, 'The phase, as in the body.'],
  [timestampHeader, 'With a signature: when it was made, in seconds since 1970.'],
  [signatureHeader, 'With auth.hmac: sha256=<hex of HMAC-SHA256> of the timestamp, a dot and the body.'],
];

const json = (name: string): JsonObject => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});

const retryAfter: JsonObject = {
  'Retry-After': { description: 'Seconds, or a date.', schema: { type: 'string' } },
};

const openApiSchema = (schema: TSchema): JsonObject =>
  withoutExtensions(toStructuralSchema(schema)) as JsonObject;

/** Kubernetes' own keywords say nothing to other programs, except that anything goes. */
function withoutExtensions(schema: Json): Json {
  if (isArray(schema)) return schema.map(withoutExtensions);
  if (!isObject(schema)) return schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true && schema['type'] === 'object';
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-kubernetes-'));
  const plain = kept.map(([key, value]) => [key, withoutExtensions(value)] as const);
  return { ...Object.fromEntries(plain), ...(isOpen ? { additionalProperties: true } : {}) };
}
