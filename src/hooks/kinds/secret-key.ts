import { Type } from '#schema/kind/type.ts';

/** A key of a Secret beside the object that names it. */
export const SecretKeyRef = Type.Object(
  {
    name: Type.String({ description: 'The Secret, in the same namespace.', minLength: 1, maxLength: 253 }),
    key: Type.String({ description: 'The key in it.', minLength: 1, maxLength: 253 }),
  },
  { description: 'One value of a Secret in the same namespace.' },
);

export const Header = Type.Object({
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
