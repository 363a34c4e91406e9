import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { optionalBoolean, optionalInteger, optionalList, optionalString } from '#schema/kind/field.ts';
import { compileJsonPathTemplate } from '#kube/jsonpath-template.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import type { Finding } from './finding.ts';
import type { SecretUse } from './provider-wire.ts';

/** A key of a Secret in the same namespace. */
export const SecretKeyRef = Type.Object(
  {
    name: Type.String({
      description: 'Name of the Secret, in the same namespace.',
      minLength: 1,
      maxLength: 253,
    }),
    key: Type.String({ description: 'Key in the Secret.', minLength: 1, maxLength: 253 }),
  },
  { description: 'A key of a Secret in the same namespace.' },
);

const Header = Type.Object({
  key: Type.String({ description: 'Name of the header.', minLength: 1, maxLength: 256 }),
  value: optionalString('Value of the header. {{ args.NAME }} is replaced.', { maxLength: 8192 }),
  valueFrom: Type.Optional(
    Type.Object({ secretKeyRef: SecretKeyRef }, { description: 'Source of the value, instead of value.' }),
  ),
});

/** TLS settings of a call. */
export const tlsFields = {
  insecure: optionalBoolean(
    'Skips the verification of the certificate of the server. Anyone on the network path can then answer.',
  ),
  caBundle: optionalString('CA certificates that are trusted for the server: PEM, or PEM in base64.', {
    maxLength: 262_144,
  }),
  clientCertificate: Type.Optional(
    Type.Object(
      {
        secretName: Type.String({
          description: 'Name of a Secret of type kubernetes.io/tls in the same namespace.',
          minLength: 1,
          maxLength: 253,
        }),
      },
      { description: 'Client certificate for the connection.' },
    ),
  ),
};

/** The timeout of one call. */
export const timeoutSeconds = (usual: number) =>
  optionalInteger(`Timeout of one call in seconds. Default: ${usual}.`, { maximum: 3600 });

export const headers = optionalList(Header, 'Headers of the request.', { maxItems: 64 });

type HeaderSpec = Frozen<Static<typeof Header>>;

/** Headers without exactly one of value and valueFrom. */
export const headerFindings = (list: readonly HeaderSpec[] = []): readonly Finding[] =>
  list.flatMap(({ key, value, valueFrom }, i) => {
    if ((value === undefined) !== (valueFrom === undefined)) return [];
    const message = value === undefined ? `${key} has no value` : `${key} has both value and valueFrom`;
    return [{ severity: 'warning', path: `headers[${i}]`, message }];
  });

/** Headers whose value comes from a Secret. */
export const headerSecrets = (list: readonly HeaderSpec[] = []): readonly SecretUse[] =>
  list.flatMap(({ valueFrom }, i) =>
    valueFrom === undefined ? [] : [{ path: `headers[${i}]`, key: valueFrom.secretKeyRef }],
  );

/** The address of a server that is not a URL. */
export const addressFindings = (path: string, text: string): readonly Finding[] =>
  /^(?:https?:\/\/[^/?#]|\{\{)/i.test(text)
    ? []
    : [
        {
          severity: 'error',
          path,
          message: `"${text.slice(0, 80)}" is not a URL: it must begin with http:// or https:// and a host`,
        },
      ];

/** A template of kubectl's JSONPath that cannot be parsed. */
export function jsonPathFindings(path: string, text: string): readonly Finding[] {
  const compiled = compileJsonPathTemplate(text);
  return compiled.type === 'problem' ? [{ severity: 'error', path, message: compiled.message }] : [];
}
