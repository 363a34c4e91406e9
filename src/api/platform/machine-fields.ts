import { Type } from 'typebox';
import { mapOf, stringEnum } from '#api/field.ts';

const secretText = (description: string) =>
  Type.Optional(
    Type.String({ description, format: 'byte', maxLength: 65_536, pattern: '^[A-Za-z0-9+/=\\s]*$' }),
  );

const address = Type.String({ description: 'Its IP address.', minLength: 1, maxLength: 64 });
const port = Type.Optional(
  Type.Integer({
    description: 'Where its SSH server listens; 22 unless given.',
    minimum: 1,
    maximum: 65_535,
  }),
);
const username = Type.Optional(
  Type.String({
    description: 'Who logs in; root unless given. Others need sudo without a password.',
    minLength: 1,
    maxLength: 64,
  }),
);

/** `SHA256:…` as ssh-keygen prints it. */
export const hostKey = (description: string) =>
  Type.String({ description, pattern: '^SHA256:[A-Za-z0-9+/]{43}=?$', maxLength: 64 });

const CredentialsFrom = Type.Object(
  {
    namespace: Type.Optional(
      Type.String({ description: 'Where the Secret is; default unless given.', minLength: 1, maxLength: 63 }),
    ),
    name: Type.String({ description: 'The Secret.', minLength: 1, maxLength: 253 }),
  },
  {
    description:
      'A Secret of type boathook.dev/machine-credentials with the keys username, password, privateKey and passPhrase, each only if needed. Its type says that it may be sent to machines.',
  },
);

const loginFields = {
  username,
  password: secretText('Its password, in base64.'),
  privateKey: secretText('A private key that it accepts, in base64.'),
  passPhrase: secretText('The passphrase of the private key, in base64.'),
};

const Proxy = Type.Object(
  {
    type: Type.Optional(stringEnum(['SSHJumpServer'], { description: 'How it passes us on.' })),
    ip: address,
    port,
    ...loginFields,
    hostKey: Type.Optional(hostKey('The fingerprint of its key.')),
  },
  { description: 'The machine by way of which it is reached.' },
);

const labels = Type.Optional(
  mapOf(Type.String({ description: 'A value.', maxLength: 63 }), { description: 'Labels of its node.' }),
);

const Taint = Type.Object({
  key: Type.String({ description: 'Its name.', maxLength: 316 }),
  value: Type.Optional(Type.String({ description: 'Its value.', maxLength: 63 })),
  effect: stringEnum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], { description: 'What it does.' }),
});

/** How a machine is reached: of `spec.machines` of a Cluster and of the spec of a Machine alike. */
export const machineFields = {
  ip: address,
  port,
  ...loginFields,
  credentialsFrom: Type.Optional(CredentialsFrom),
  hostKey: Type.Optional(hostKey('The fingerprint of its key, as ssh-keygen -l prints it.')),
  labels,
  taints: Type.Optional(Type.Array(Taint, { description: 'Taints of its node.', maxItems: 100 })),
  proxy: Type.Optional(Proxy),
};
