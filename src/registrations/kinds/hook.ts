import { Type } from '#schema/kind/type.ts';
import {
  optional,
  optionalBoolean,
  optionalEnum,
  optionalInteger,
  optionalList,
  optionalString,
  setOf,
  stringEnum,
} from '#schema/kind/field.ts';

/** ISO 8601, as in the first manifests, or the durations of the other kinds. */
const spanPattern = String.raw`^(P([0-9.,]+[YMWD])*(T([0-9.,]+[HMS])+)?|0|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)$`;
const span = (description: string) =>
  optional(Type.String({ description, pattern: spanPattern, maxLength: 40 }));

const SecretKey = (description: string) =>
  Type.Object(
    {
      name: Type.String({
        description: 'Name of a Secret in the namespace of the controller.',
        minLength: 1,
        maxLength: 253,
      }),
      key: Type.String({ description: 'Key in the object.', minLength: 1, maxLength: 253 }),
    },
    { description },
  );

const Reference = Type.Object(
  {
    apiVersion: optionalString('Defaults to v1.', { maxLength: 253 }),
    kind: Type.String({
      description: 'Service, or a kind with status.address.url.',
      minLength: 1,
      maxLength: 63,
    }),
    name: Type.String({ description: 'Name of the object.', minLength: 1, maxLength: 253 }),
    namespace: optionalString('Defaults to the namespace of the controller.', { maxLength: 63 }),
  },
  { description: 'Object that gives the host.' },
);

/** A DNS name: server name indication does not allow IP addresses (RFC 6066, section 3). */
const namePattern = String.raw`^([a-zA-Z0-9_]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.)*[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`;

const Tls = Type.Object(
  {
    caBundle: optionalString(
      'Certificate authorities for the certificate of the hook: PEM, or PEM in base64.',
      { maxLength: 262_144 },
    ),
    caBundleFrom: optional(
      Type.Object(
        {
          secret: optional(SecretKey('A key of a Secret.')),
          configMap: optional(
            Type.Object(
              {
                name: Type.String({
                  description: 'Name of a ConfigMap in the namespace of the controller.',
                  minLength: 1,
                  maxLength: 253,
                }),
                key: Type.String({ description: 'Key in the object.', minLength: 1, maxLength: 253 }),
              },
              { description: 'A key of a ConfigMap.' },
            ),
          ),
        },
        { description: 'Object with the certificate authorities, instead of caBundle.' },
      ),
    ),
    clientCertificate: optional(
      Type.Object(
        {
          secretName: Type.String({
            description: 'Name of a Secret of type kubernetes.io/tls in the namespace of the controller.',
            minLength: 1,
            maxLength: 253,
          }),
        },
        { description: 'Client certificate of the controller.' },
      ),
    ),
    serverName: optionalString(
      'Name in the certificate of the hook, also for server name indication. Defaults to the host of the address.',
      { pattern: namePattern, minLength: 1, maxLength: 253 },
    ),
  },
  {
    description: 'TLS settings for https.',
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
    bearer: optional(SecretKey('Token that is sent as Authorization: Bearer.')),
    basic: optional(
      Type.Object(
        {
          secretName: Type.String({
            description:
              'Name of a Secret of type kubernetes.io/basic-auth, with username and password, in the namespace of the controller.',
            minLength: 1,
            maxLength: 253,
          }),
        },
        { description: 'User and password that are sent as Authorization: Basic.' },
      ),
    ),
    hmac: optional(
      SecretKey(
        'Signs every request: X-Boathook-Signature-V2 is sha256=<hex of HMAC-SHA256> of X-Boathook-Timestamp, a dot, X-Boathook-Nonce, a dot and the body. X-Boathook-Signature-256 is the same without the nonce, for older services.',
      ),
    ),
  },
  {
    description: 'How the controller authenticates to the hook.',
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
      description: 'Version of the hook API.',
      enum: [1, '1', 'v1'],
    }),
    address: Type.Object(
      {
        uri: optional(
          Type.String({
            description:
              'URL of the hook. With ref it gives scheme, port, path and query, not the host. It must not contain user and password: use auth.',
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
        description: 'Address of the hook.',
        'x-kubernetes-validations': [
          { rule: 'has(self.uri) || has(self.ref)', message: 'give uri, ref, or both' },
        ],
      },
    ),
    timeout: span('Timeout of one call, from 100ms to 60s, such as PT10S or 10s. Defaults to 15s.'),
    capabilities: optionalList(
      stringEnum(phases, { description: 'A phase.' }),
      'Phases in which the hook is called: before an instance is rendered, after it, and when it is deleted. Defaults to none.',
      { 'x-kubernetes-list-type': 'set', maxItems: 3 },
    ),
    payload: optionalEnum(
      ['reference', 'full'],
      'reference: requests name the instance. full: requests contain the instance and its children. Defaults to reference.',
    ),
    resyncPeriod: span(
      'Time after which the hook is called again without a change, from 1s to 30 days. Defaults to 10h.',
    ),
    finalizeTimeout: span(
      'Time after which a deleted instance is removed even if the hook has not finished. Defaults to no limit.',
    ),
    maxReplyBytes: optionalInteger('Maximum size of a reply in bytes. Defaults to 1 MiB.', {
      minimum: 1024,
      maximum: 4_194_304,
    }),
    strict: optionalBoolean(
      'Whether a reply with an unknown member is an error instead of a warning. Defaults to false.',
    ),
    protectedFields: optional(
      setOf({
        description:
          'Further fields of the children that replies must not change, as JSON pointers such as /spec/replicas.',
        maxItems: 64,
      }),
    ),
    tls: optional(Tls),
    auth: optional(Auth),
  },
  { description: 'HTTP service that is called at every reconciliation.' },
);
