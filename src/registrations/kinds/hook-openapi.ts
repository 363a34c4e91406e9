import type { TSchema } from 'typebox';
import type { Json, JsonObject } from '#base/json.ts';
import { equalJson, isArray, isObject } from '#base/json.ts';
import { toStructuralSchema } from '#schema/kind/structural.ts';
import {
  nonceHeader,
  nonceSignatureHeader,
  phaseHeader,
  requestIdHeader,
  signatureHeader,
  timestampHeader,
} from './hook-headers.ts';
import {
  EnvVarSchema,
  HookErrorSchema,
  PatchSchema,
  ReconcileReplySchema,
  ReconcileRequestSchema,
  ReplyConditionSchema,
  ReplyStatusSchema,
  RequestObjectSchema,
} from './hook-protocol.ts';

/** The hook protocol as an OpenAPI document, from which a server can be generated. */
export function hookOpenApi(): JsonObject {
  return {
    openapi: '3.0.3',
    info: {
      title: 'Boathook reconcile hook',
      version: 'v1',
      license: { name: 'Apache-2.0' },
      description:
        'API of a service that is called at every reconciliation. Requests may contain further members: ignore them.',
    },
    servers: [{ url: 'http://my-hook-service', description: 'Address in the registration.' }],
    paths: {
      '/': {
        post: {
          operationId: 'reconcile',
          summary: 'Change one reconciliation',
          parameters: headers.map(([name, description]) => ({
            name,
            in: 'header',
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: json('ReconcileRequest') },
          responses: responses(),
        },
      },
    },
    // Depends on spec.hook.auth of the registration.
    security: [{}, { bearer: [] }, { basic: [] }],
    components: {
      schemas: schemas(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'With auth.bearer in the registration.' },
        basic: { type: 'http', scheme: 'basic', description: 'With auth.basic in the registration.' },
      },
    },
  };
}

const responses = (): JsonObject => ({
  200: {
    description: 'The reply; error reports a failure.',
    content: json('ReconcileReply'),
  },
  204: { description: 'Success without changes.' },
  429: {
    description: 'Too many requests; Retry-After gives the time of the next call.',
    headers: retryAfter,
  },
  503: {
    description: 'Not available; Retry-After gives the time of the next call.',
    headers: retryAfter,
  },
  default: {
    description: 'An error. Without a body it halts and is retried.',
    content: json('ReconcileReply'),
  },
});

const headers: readonly (readonly [string, string])[] = [
  [requestIdHeader, 'Unique for every call.'],
  [phaseHeader, 'The phase, as in the body.'],
  [timestampHeader, 'With auth.hmac: time of the signature in seconds since 1970.'],
  [nonceHeader, 'With auth.hmac: unique for every request. Refuse a nonce that was used before.'],
  [
    nonceSignatureHeader,
    'With auth.hmac: sha256=<hex of HMAC-SHA256> of the timestamp, a dot, the nonce, a dot and the body.',
  ],
  [
    signatureHeader,
    'With auth.hmac, for older services: sha256=<hex of HMAC-SHA256> of the timestamp, a dot and the body.',
  ],
];

const json = (name: string): JsonObject => ({
  'application/json': { schema: ref(name) },
});

const retryAfter: JsonObject = {
  'Retry-After': { description: 'Seconds, or a date.', schema: { type: 'string' } },
};

/** Schemas with a name, for generated code; inner ones first. */
const named: readonly (readonly [string, TSchema])[] = [
  ['RequestObject', RequestObjectSchema],
  ['ReconcileRequest', ReconcileRequestSchema],
  ['HookError', HookErrorSchema],
  ['TargetPatch', PatchSchema],
  ['EnvVar', EnvVarSchema],
  ['Condition', ReplyConditionSchema],
  ['ReplyStatus', ReplyStatusSchema],
  ['ReconcileReply', ReconcileReplySchema],
];

function schemas(): JsonObject {
  const whole = named.map(([name, schema]) => [name, openApiSchema(schema)] as const);
  const refs = whole.map(([name, schema]) => {
    const others = whole.filter(([other]) => other !== name);
    return [name, withRefs(schema, others)] as const;
  });
  return { ...Object.fromEntries(refs), Patch: patch };
}

type Named = readonly (readonly [string, JsonObject])[];

/** The schema with references in place of those that have a name. */
function withRefs(schema: Json, others: Named): Json {
  if (isArray(schema)) return schema.map((each) => withRefs(each, others));
  if (!isObject(schema)) return schema;
  const [name] = others.find(([, other]) => equalJson(other, schema)) ?? [];
  if (name !== undefined) return ref(name === 'TargetPatch' ? 'Patch' : name);
  return Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, withRefs(each, others)]));
}

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** One of several forms, which a structural schema cannot express. */
const patch: JsonObject = {
  description:
    'Change of a child before it is applied: target and patch, or one member with the name of the target.',
  oneOf: [
    ref('TargetPatch'),
    ...['main', 'service', 'serviceAccount'].map((target) => ({
      type: 'object',
      required: [target],
      properties: {
        [target]: { description: 'A list of operations (RFC 6902), or an object that is merged.' },
      },
      additionalProperties: false,
    })),
  ],
};

const openApiSchema = (schema: TSchema): JsonObject =>
  withoutExtensions(toStructuralSchema(schema)) as JsonObject;

/** Removes keywords of Kubernetes; preserve-unknown-fields becomes additionalProperties. */
function withoutExtensions(schema: Json): Json {
  if (isArray(schema)) return schema.map(withoutExtensions);
  if (!isObject(schema)) return schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true && schema['type'] === 'object';
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-kubernetes-'));
  const plain = kept.map(([key, value]) => [key, withoutExtensions(value)] as const);
  return { ...Object.fromEntries(plain), ...(isOpen ? { additionalProperties: true } : {}) };
}
