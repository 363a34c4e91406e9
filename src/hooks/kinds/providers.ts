import { Type } from '#schema/kind/type.ts';
import { durationPattern } from '#base/duration.ts';
import { anyValue, openObject, stringEnum } from '#schema/kind/field.ts';
import { Header, SecretKeyRef, timeoutSeconds, tlsFields } from './secret-key.ts';

const headers = Type.Optional(Type.Array(Header, { description: 'Headers of the request.', maxItems: 64 }));
const span = (description: string) => Type.String({ description, pattern: durationPattern, maxLength: 40 });

export const webDescription =
  'Ask a web endpoint. Every call has a header Idempotency-Key of run, metric and measurement: the same again when a call is repeated.';

/** Asks a web endpoint. */
export const Web = Type.Object(
  {
    url: Type.String({
      description:
        'Where to ask; {{ args.NAME }} is filled in, and percent-encoded where it must be. In the path slashes of a value stay; {{ args.NAME | urlencode }} encodes them too.',
      minLength: 1,
      maxLength: 8192,
    }),
    jsonPath: Type.Optional(
      Type.String({
        description:
          'What of the answer is the result, as kubectl writes it: {$.age}. All of it unless given.',
        maxLength: 4096,
      }),
    ),
    method: Type.Optional(
      stringEnum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], {
        description: 'The method; GET unless there is a body, then POST.',
      }),
    ),
    headers,
    body: Type.Optional(
      Type.String({ description: 'A text to send; {{ args.NAME }} is filled in.', maxLength: 262_144 }),
    ),
    jsonBody: Type.Optional(
      anyValue({ description: 'A value to send as JSON; {{ args.NAME }} is filled in inside its texts.' }),
    ),
    timeoutSeconds: timeoutSeconds(10),
    ...tlsFields,
    hmac: Type.Optional(
      Type.Object(
        {
          secretKeyRef: SecretKeyRef,
          header: Type.Optional(
            Type.String({
              description: 'Where the signature goes; X-Boathook-Signature-256 unless given.',
              minLength: 1,
              maxLength: 256,
            }),
          ),
        },
        { description: 'Signs the body: sha256=<hex of HMAC-SHA256> in a header.' },
      ),
    ),
    resultType: Type.Optional(
      stringEnum(['string', 'json'], {
        description: 'json: result is the parsed value. Otherwise it is text.',
      }),
    ),
    notFoundIsNoData: Type.Optional(
      Type.Boolean({ description: 'An answer of 404 counts as no data instead of as an error.' }),
    ),
  },
  { description: webDescription },
);

/** Asks Prometheus. */
export const Prometheus = Type.Object(
  {
    address: Type.String({
      description: 'The address of the server: http://prometheus:9090. {{ args.NAME }} is filled in.',
      minLength: 1,
      maxLength: 4096,
    }),
    query: Type.String({
      description: 'The question in PromQL; {{ args.NAME }} is filled in.',
      minLength: 1,
      maxLength: 65_536,
    }),
    range: Type.Optional(
      Type.Object(
        {
          last: span('How far back, counted from now.'),
          step: span('The distance of the points.'),
        },
        { description: 'Ask for a span of time; result is the list of all points, series after series.' },
      ),
    ),
    headers,
    timeoutSeconds: timeoutSeconds(30),
    ...tlsFields,
  },
  { description: 'Ask Prometheus: a scalar is a number, a vector a list of numbers.' },
);

/** Reads or writes an object of the cluster, with the rights of a ServiceAccount of the run. */
export const Kubernetes = Type.Object(
  {
    function: stringEnum(['get', 'patch'], { description: 'Read fields and compare them, or write them.' }),
    target: Type.Optional(
      Type.Object(
        {
          apiVersion: Type.Optional(Type.String({ description: 'v1 unless given.', maxLength: 256 })),
          kind: Type.Optional(Type.String({ description: 'Pod unless given.', maxLength: 63 })),
          name: Type.Optional(Type.String({ description: 'args.PodName unless given.', maxLength: 253 })),
          namespace: Type.Optional(
            Type.String({ description: 'args.PodNamespace, else that of the run.', maxLength: 63 }),
          ),
        },
        { description: 'Which object; {{ args.NAME }} is filled in.' },
      ),
    ),
    fields: Type.Array(
      Type.Object({
        path: Type.String({
          description: 'metadata.annotations.KEY, or a path as kubectl writes it: {.status.phase}.',
          minLength: 1,
          maxLength: 4096,
        }),
        value: Type.Optional(
          Type.String({
            description: 'get: what it must be. patch: what it becomes. {{ args.NAME }} is filled in.',
            maxLength: 65_536,
          }),
        ),
      }),
      {
        description: 'In order; the first problem ends it. Conditions see the last one read.',
        minItems: 1,
        maxItems: 32,
      },
    ),
  },
  { description: 'Read or write an object of the cluster.' },
);

/** Runs a Job. */
export const Job = Type.Object(
  {
    spec: openObject({ description: 'The spec of the Job; {{ args.NAME }} is filled in inside its texts.' }),
    timeoutSeconds: timeoutSeconds(600),
  },
  { description: 'Run a Job in the namespace of the run; it succeeds when the Job completes.' },
);

/** Runs a script on machines. */
export const Machine = Type.Object(
  {
    cluster: Type.String({
      description: 'The Cluster whose machines are meant; {{ args.NAME }} is filled in.',
      minLength: 1,
      maxLength: 253,
    }),
    role: Type.Optional(
      stringEnum(['master', 'worker'], {
        description: 'Which of its machines; of workers those that have joined. master unless given.',
      }),
    ),
    on: Type.Optional(
      stringEnum(['first', 'all'], {
        description:
          'On the first of them, or on all, one after the other: then conditions are asked of each result, and the worst counts. first unless given.',
      }),
    ),
    script: Type.String({
      description:
        'A script that spec.features.files of the Cluster delivers: its path on the machines. {{ args.NAME }} is filled in.',
      minLength: 1,
      maxLength: 4096,
    }),
    args: Type.Optional(
      Type.Array(Type.String({ description: 'One argument.', maxLength: 8192 }), {
        description: 'Its arguments, each whole; {{ args.NAME }} is filled in.',
        maxItems: 100,
      }),
    ),
    timeoutSeconds: timeoutSeconds(600),
  },
  {
    description:
      'Run a script on machines of a Cluster. Another exit code than 0, or taking too long, is a failure; otherwise the last line that it prints is the result. Machines in use are waited for.',
  },
);
