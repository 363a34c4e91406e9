import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { compileJsonPathTemplate } from '#kube/jsonpath-template.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import type { Finding } from './finding.ts';
import type { SecretUse } from './provider-wire.ts';

/** A key of a Secret beside the object that names it. */
export const SecretKeyRef = Type.Object(
  {
    name: Type.String({ description: 'The Secret, in the same namespace.', minLength: 1, maxLength: 253 }),
    key: Type.String({ description: 'The key in it.', minLength: 1, maxLength: 253 }),
  },
  { description: 'One value of a Secret in the same namespace.' },
);

const Header = Type.Object({
  key: Type.String({ description: 'The name of the header.', minLength: 1, maxLength: 256 }),
  value: Type.Optional(
    Type.String({ description: 'Its value; {{ args.NAME }} is filled in.', maxLength: 8192 }),
  ),
  valueFrom: Type.Optional(
    Type.Object({ secretKeyRef: SecretKeyRef }, { description: 'Where its value is kept instead.' }),
  ),
});

/** How the far end of a connection is trusted, and how we show who we are. */
export const tlsFields = {
  insecure: Type.Optional(
    Type.Boolean({
      description: 'Do not verify the certificate of the server. Anyone on the way can answer.',
    }),
  ),
  caBundle: Type.Optional(
    Type.String({
      description: 'Authorities that may have signed the certificate of the server: PEM, or PEM in base64.',
      maxLength: 262_144,
    }),
  ),
  clientCertificate: Type.Optional(
    Type.Object(
      {
        secretName: Type.String({
          description: 'A Secret of type kubernetes.io/tls in the same namespace.',
          minLength: 1,
          maxLength: 253,
        }),
      },
      { description: 'The certificate that we show.' },
    ),
  ),
};

/** A setting that says for how long one call may take. */
export const timeoutSeconds = (usual: number) =>
  Type.Optional(
    Type.Integer({ description: `How long one call may take; ${usual} unless given.`, maximum: 3600 }),
  );

export const headers = Type.Optional(
  Type.Array(Header, { description: 'Headers of the request.', maxItems: 64 }),
);

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
          message: `"${text.slice(0, 80)}" is no address: begin it with http:// or https:// and a host`,
        },
      ];

/** A template of kubectl's JSONPath that cannot be parsed. */
export function jsonPathFindings(path: string, text: string): readonly Finding[] {
  const compiled = compileJsonPathTemplate(text);
  return compiled.type === 'problem' ? [{ severity: 'error', path, message: compiled.message }] : [];
}
