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
    // A registration may have a token or a password sent along; without auth there is neither.
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

const headers: readonly (readonly [string, string])[] = [
  [requestIdHeader, 'Another for every call.'],
  [phaseHeader, 'The phase, as in the body.'],
  [timestampHeader, 'With a signature: when it was made, in seconds since 1970.'],
  [nonceHeader, 'With a signature: another for every request. Refuse one that came before.'],
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

/** Those with a name of their own, so that generated code has names for them too; the inner ones first. */
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

/** What no structural schema can say: one of several forms. */
const patch: JsonObject = {
  description:
    'A change of what is about to be applied: with target and patch, or with one member of its name.',
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

/** Kubernetes' own keywords say nothing to other programs, except that anything goes. */
function withoutExtensions(schema: Json): Json {
  if (isArray(schema)) return schema.map(withoutExtensions);
  if (!isObject(schema)) return schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true && schema['type'] === 'object';
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-kubernetes-'));
  const plain = kept.map(([key, value]) => [key, withoutExtensions(value)] as const);
  return { ...Object.fromEntries(plain), ...(isOpen ? { additionalProperties: true } : {}) };
}
