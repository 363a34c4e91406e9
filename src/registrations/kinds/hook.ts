import type { TSchema } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { setOf, stringEnum } from '#schema/kind/field.ts';

const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);

/** ISO 8601, as the timeout of the first manifests, or the spans of the other kinds. */
const spanPattern = String.raw`^(P([0-9.,]+[YMWD])*(T([0-9.,]+[HMS])+)?|0|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)$`;
const span = (description: string) =>
  optional(Type.String({ description, pattern: spanPattern, maxLength: 40 }));

const SecretKey = (description: string) =>
  Type.Object(
    {
      name: Type.String({
        description: 'The Secret, in the namespace of the controller.',
        minLength: 1,
        maxLength: 253,
      }),
      key: Type.String({ description: 'The key in it.', minLength: 1, maxLength: 253 }),
    },
    { description },
  );

const Reference = Type.Object(
  {
    apiVersion: optional(Type.String({ description: 'v1 unless given.', maxLength: 253 })),
    kind: Type.String({
      description: 'Service, or a kind with status.address.url.',
      minLength: 1,
      maxLength: 63,
    }),
    name: Type.String({ description: 'Its name.', minLength: 1, maxLength: 253 }),
    namespace: optional(Type.String({ description: 'That of the controller unless given.', maxLength: 63 })),
  },
  { description: 'The object that gives the host.' },
);

/** A name, not an address: servers are not asked for by addresses (RFC 6066, 3). */
const namePattern = String.raw`^([a-zA-Z0-9_]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.)*[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`;

const Tls = Type.Object(
  {
    caBundle: optional(
      Type.String({
        description: 'Authorities that may have signed the certificate of the hook: PEM, or PEM in base64.',
        maxLength: 262_144,
      }),
    ),
    caBundleFrom: optional(
      Type.Object(
        {
          secret: optional(SecretKey('A key of a Secret.')),
          configMap: optional(
            Type.Object(
              {
                name: Type.String({
                  description: 'The ConfigMap, in the namespace of the controller.',
                  minLength: 1,
                  maxLength: 253,
                }),
                key: Type.String({ description: 'The key in it.', minLength: 1, maxLength: 253 }),
              },
              { description: 'A key of a ConfigMap.' },
            ),
          ),
        },
        { description: 'Where the authorities are kept instead.' },
      ),
    ),
    clientCertificate: optional(
      Type.Object(
        {
          secretName: Type.String({
            description: 'A Secret of type kubernetes.io/tls in the namespace of the controller.',
            minLength: 1,
            maxLength: 253,
          }),
        },
        { description: 'The certificate that we show.' },
      ),
    ),
    serverName: optional(
      Type.String({
        description:
          'The name that the certificate of the hook must have, where that is not the host of its address. It is asked for by this name too.',
        pattern: namePattern,
        minLength: 1,
        maxLength: 253,
      }),
    ),
  },
  {
    description: 'How the hook is trusted, and how we show who we are.',
    'x-kubernetes-validations': [
      {
        rule: '!(has(self.caBundle) && has(self.caBundleFrom))',
        message: 'give caBundle or caBundleFrom, not both',
      },
    ],
  },
);

const Auth = Type.Object(
  {
    bearer: optional(SecretKey('A token that is sent as Authorization: Bearer.')),
    basic: optional(
      Type.Object(
        {
          secretName: Type.String({
            description:
              'A Secret of type kubernetes.io/basic-auth, with username and password, in the namespace of the controller.',
            minLength: 1,
            maxLength: 253,
          }),
        },
        { description: 'A name and a password that are sent as Authorization: Basic.' },
      ),
    ),
    hmac: optional(
      SecretKey(
        'Signs every request: X-Boathook-Signature-V2 is sha256=<hex of HMAC-SHA256> of X-Boathook-Timestamp, a dot, X-Boathook-Nonce, a dot and the body. X-Boathook-Signature-256 is the same without the nonce, for older services.',
      ),
    ),
  },
  {
    description: 'How the hook knows that it is us.',
    'x-kubernetes-validations': [
      { rule: '!(has(self.bearer) && has(self.basic))', message: 'give bearer or basic, not both' },
    ],
  },
);

export const phases = ['pre-reconcile', 'post-reconcile', 'finalize'] as const;
export type HookPhase = (typeof phases)[number];

export const Hook = Type.Object(
  {
    version: Type.Unsafe<number | string>({
      'x-kubernetes-int-or-string': true,
      description: 'The version of the hook API.',
      enum: [1, '1', 'v1'],
    }),
    address: Type.Object(
      {
        uri: optional(
          Type.String({
            description:
              'Where the hook is. Beside ref it gives scheme, port, path and query, not the host. Without user and password: those are kept in a Secret that auth names.',
            minLength: 1,
            maxLength: 4096,
            'x-kubernetes-validations': [
              {
                rule: "!self.matches('^[^/?#]*//[^/?#]*@')",
                message:
                  'must not contain a user or a password: keep them in a Secret of type kubernetes.io/basic-auth and name it in spec.hook.auth.basic',
              },
            ],
          }),
        ),
        ref: optional(Reference),
      },
      {
        description: 'Where the hook is.',
        'x-kubernetes-validations': [
          { rule: 'has(self.uri) || has(self.ref)', message: 'give uri, ref, or both' },
        ],
      },
    ),
    timeout: span('How long one call may take, from 100ms to 60s: PT10S or 10s. 15s unless given.'),
    capabilities: optional(
      Type.Array(stringEnum(phases, { description: 'A phase.' }), {
        description:
          'When it is called: before an instance is rendered, after it, and when it is deleted. Never unless given.',
        'x-kubernetes-list-type': 'set',
        maxItems: 3,
      }),
    ),
    payload: optional(
      stringEnum(['reference', 'full'], {
        description:
          'reference: requests name the instance. full: they carry it, and its children. reference unless given.',
      }),
    ),
    resyncPeriod: span('How long an instance may rest before the hook is asked again. 10h unless given.'),
    finalizeTimeout: span(
      'After so long an instance goes though its hook has not let it. Never unless given.',
    ),
    maxReplyBytes: optional(
      Type.Integer({
        description: 'How long a reply may be. 1 MiB unless given.',
        minimum: 1024,
        maximum: 4_194_304,
      }),
    ),
    strict: optional(
      Type.Boolean({ description: 'A reply with an unknown member is an error, not a warning.' }),
    ),
    protectedFields: optional(
      setOf({
        description:
          'Further fields of the children that no reply may change, as JSON pointers: /spec/replicas.',
        maxItems: 64,
      }),
    ),
    tls: optional(Tls),
    auth: optional(Auth),
  },
  { description: 'A service that is asked at every reconciliation.' },
);
