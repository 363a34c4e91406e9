import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import {
  anyValue,
  mapOf,
  openObject,
  optional,
  optionalBoolean,
  optionalEnum,
  optionalInteger,
  optionalList,
  optionalString,
  stringEnum,
} from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import type { Json, JsonObject } from '#base/json.ts';
import { phases } from './hook.ts';

const objects = (description: string) =>
  optional(Type.Array(openObject({ description: 'A Kubernetes object.' }), { description }));

/** The instance by its reference: what `payload: reference` sends. */
export type ReferenceObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
};

/** The reference beside the whole instance: what `payload: full` sends. */
export type FullObject = ReferenceObject & {
  readonly metadata: JsonObject;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
};

/** One of the two, as in the registration. */
export type RequestObject = ReferenceObject & Partial<FullObject>;

const text = (description: string) => Type.String({ description });

export const RequestObjectSchema = Type.Unsafe<RequestObject>({
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  description: 'The instance: apiVersion, kind, namespace and name; the whole instance with payload: full.',
  properties: {
    apiVersion: text('Group and version: extensions.triggermesh.io/v1.'),
    kind: text('Its kind.'),
    namespace: text('Its namespace.'),
    name: text('Its name.'),
    metadata: openObject({ description: 'payload: full.' }),
    spec: openObject({ description: 'payload: full.' }),
    status: openObject({ description: 'payload: full.' }),
  },
  required: ['apiVersion', 'kind'],
});

/** The request to a hook. */
export const ReconcileRequestSchema = Type.Object(
  {
    object: RequestObjectSchema,
    phase: stringEnum(phases, { description: 'The phase of the reconciliation.' }),
    capabilities: Type.Array(stringEnum(phases, { description: 'A phase.' }), {
      description: 'The capabilities in the registration.',
    }),
    version: optionalString('v1'),
    registration: optional(
      Type.Object(
        {
          name: Type.String({ description: 'Its name.' }),
          generation: Type.Integer({ description: 'Its generation.', format: 'int64' }),
        },
        { description: 'The registration that the hook belongs to.' },
      ),
    ),
    formFactor: optional(
      Type.Object(
        { name: stringEnum(['deployment', 'ksvc'], { description: 'Kind of the workload.' }) },
        { description: 'Workload of the instance.' },
      ),
    ),
    uid: optionalString('The uid of the instance.'),
    generation: optionalInteger('The generation of the instance.', { format: 'int64' }),
    attempt: optionalInteger('Number of this attempt: 1, plus the failed attempts before.', { minimum: 1 }),
    rendered: objects('post-reconcile: the children that are about to be applied; the workload first.'),
    observed: objects('post-reconcile and finalize: the live children.'),
    children: optional(
      mapOf(openObject({ description: 'A Kubernetes object.' }), {
        description:
          'payload: full: the children that are about to be applied, as deployment, ksvc and service.',
      }),
    ),
  },
  { description: 'Request to a hook.' },
);

export const HookErrorSchema = Type.Object(
  {
    message: Type.String({
      description: 'What went wrong, for users. Keep it the same while the cause is the same.',
    }),
    permanent: optionalBoolean(
      'true: another call will not help; the hook is called again when something changes.',
      { default: false },
    ),
    halt: optionalBoolean(
      'true: nothing is applied; in finalize the instance stays. false: continue without this reply.',
      { default: true },
    ),
  },
  { description: 'Set when the hook failed.' },
);

export const PatchSchema = Type.Object(
  {
    target: stringEnum(['main', 'service', 'serviceAccount'], {
      description: 'main is the Deployment or the Knative Service.',
    }),
    type: optionalEnum(
      ['json', 'merge', 'strategic'],
      'Defaults to json when the patch is a list, otherwise to strategic.',
    ),
    patch: anyValue({ description: 'A list of operations (RFC 6902), or an object that is merged.' }),
  },
  { description: 'Change of a child before it is applied. {"main": patch} is short for target and patch.' },
);

export const EnvVarSchema = Type.Object(
  {
    name: Type.String({ description: 'Its name.', pattern: '^[-._a-zA-Z][-._a-zA-Z0-9]*$' }),
    value: optionalString('Its value.'),
    valueFrom: optional(openObject({ description: 'Source of the value, instead of value.' })),
  },
  { description: 'Environment variable of the container.' },
);

export const ReplyConditionSchema = Type.Object(
  {
    type: Type.String({ description: 'One of those in conditionsFromHook.' }),
    status: stringEnum(['True', 'False', 'Unknown'], { description: 'Status of the condition.' }),
    reason: optionalString('Reason in one word, for programs.'),
    message: optionalString('Message for users.'),
  },
  { description: 'A condition of the instance; it counts for Ready.' },
);

export const ReplyStatusSchema = Type.Object(
  {
    conditions: optionalList(ReplyConditionSchema, 'Conditions of the instance; they count for Ready.'),
    annotations: optional(
      mapOf(Type.String({ description: 'Value of the annotation.' }), {
        description: 'Annotations for status.annotations.',
      }),
    ),
  },
  { description: 'Status of the instance.' },
);

/** The reply of a hook. */
export const ReconcileReplySchema = Type.Object(
  {
    error: optional(HookErrorSchema),
    patches: optionalList(PatchSchema, 'Applied in order, all or none.', { maxItems: 64 }),
    envVars: optionalList(
      EnvVarSchema,
      'Environment variables of the container. Those that are not in addEnvsFromHook are ignored.',
      { maxItems: 1000 },
    ),
    status: optional(ReplyStatusSchema),
    children: optional(
      mapOf(openObject({ description: 'A Kubernetes object.' }), {
        description: 'Whole objects that replace the rendered ones: deployment, ksvc, service.',
      }),
    ),
    object: optional(
      openObject({ description: 'The instance with a changed status; other fields are ignored.' }),
    ),
    resyncAfterSeconds: optional(
      Type.Number({
        description: 'Seconds after which the hook is called again without a change.',
        minimum: 0,
        maximum: 86_400,
      }),
    ),
    finalized: optionalBoolean('finalize: false when the cleanup has not finished.', { default: true }),
  },
  { description: 'Reply of a hook. An empty body means success without changes.' },
);

export type ReconcileRequest = Frozen<Static<typeof ReconcileRequestSchema>>;

/** One target per entry, in either form. */
export type ReplyPatch =
  | {
      readonly target: 'main' | 'service' | 'serviceAccount';
      readonly type?: 'json' | 'merge' | 'strategic';
      readonly patch: Json;
    }
  | { readonly main: Json }
  | { readonly service: Json }
  | { readonly serviceAccount: Json };

export type ReconcileReply = Omit<Frozen<Static<typeof ReconcileReplySchema>>, 'patches'> & {
  readonly patches?: readonly ReplyPatch[];
};
