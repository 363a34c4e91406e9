import { Type } from '#schema/kind/type.ts';
import { mapOf, optionalInteger, optionalList, optionalString, stringEnum } from '#schema/kind/field.ts';
import { labelPattern, labelValuePattern, qualifiedPattern, subdomainPattern } from './names.ts';

type Rule = { readonly rule: string; readonly message: string };

/** Line breaks do not count, as in Go: `base64` breaks its lines. */
const base64 = String.raw`^\\s*(([A-Za-z0-9+/]\\s*){4})*(([A-Za-z0-9+/]\\s*){2}=\\s*=\\s*|([A-Za-z0-9+/]\\s*){3}=\\s*)?$`;

/** Judged by a rule in CEL: a format or pattern that is not met would have the secret repeated in the refusal. */
const secretText = (description: string, maxLength: number) =>
  Type.Optional(
    Type.String({
      description,
      maxLength,
      'x-kubernetes-validations': [
        { rule: `self.matches('${base64}')`, message: 'must be in base64, as in: echo -n … | base64' },
      ],
    }),
  );

const ipv4 = '^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])([.]|$)){4}$';
const ipv6 = '^[0-9a-fA-F]*:[0-9a-fA-F:]*:[0-9a-fA-F:.]*$';

export const address = (rules: readonly Rule[] = []) =>
  Type.String({
    description: 'IP address.',
    minLength: 1,
    maxLength: 64,
    'x-kubernetes-validations': [
      {
        rule: `(self.matches('${ipv4}') && !self.endsWith('.')) || self.matches('${ipv6}')`,
        message: 'must be an IP address, such as 10.0.0.9',
      },
      ...rules,
    ],
  });
const port = optionalInteger('Port of the SSH server. Default: 22.', { minimum: 1, maximum: 65_535 });
const username = optionalString('SSH user. Default: root. Another user needs sudo without a password.', {
  minLength: 1,
  maxLength: 64,
});

/** `SHA256:…` as ssh-keygen prints it. */
export const hostKey = (description: string) =>
  Type.String({ description, pattern: '^SHA256:[A-Za-z0-9+/]{43}=?$', maxLength: 64 });

const CredentialsFrom = Type.Object(
  {
    namespace: optionalString('Namespace of the Secret. Default: default.', {
      maxLength: 63,
      pattern: labelPattern,
    }),
    name: Type.String({
      description: 'Name of the Secret.',
      minLength: 1,
      maxLength: 253,
      pattern: subdomainPattern,
    }),
  },
  {
    description:
      'Secret of type boathook.dev/machine-credentials with the keys username, password, privateKey and passPhrase, each only if needed. Secrets of other types are refused.',
  },
);

const loginFields = {
  username,
  password: secretText('Password in base64.', 4096),
  privateKey: secretText('Private key in base64.', 10_240),
  passPhrase: secretText('Passphrase of the private key in base64.', 4096),
};

const given = (name: string) => `has(self.${name}) && self.${name}.size() > 0`;
const hasLogin = `(${given('password')}) || (${given('privateKey')})`;

/** Where a login comes from: of a machine entry as a whole. */
export const loginRules: readonly Rule[] = [
  {
    rule: `has(self.credentialsFrom) || ${hasLogin}`,
    message: 'password, privateKey or credentialsFrom is required',
  },
  {
    rule: '!has(self.credentialsFrom) || !(has(self.password) || has(self.privateKey) || has(self.passPhrase))',
    message: 'credentialsFrom replaces password, privateKey and passPhrase: give one or the other',
  },
];

const Proxy = Type.Object(
  {
    type: stringEnum(['SSHJumpServer'], { description: 'Type of the proxy.' }),
    ip: address(),
    port,
    ...loginFields,
    hostKey: Type.Optional(hostKey('Fingerprint of its SSH host key.')),
  },
  {
    description: 'Jump host through which the machine is reached.',
    'x-kubernetes-validations': [
      { rule: hasLogin, message: 'password or privateKey is required: the jump host has a login of its own' },
    ],
  },
);

const whenJoined =
  'by the installer, once it has joined (step EnsureMarkNode, of a master EnsureMarkControlPlane). Boathook does not change them later';

const labels = Type.Optional(
  mapOf(Type.String({ description: 'Value of the label.', maxLength: 63, pattern: labelValuePattern }), {
    description: `Labels of its Node, set ${whenJoined}.`,
  }),
);

const Taint = Type.Object({
  key: Type.String({ description: 'Key of the taint.', maxLength: 317, pattern: qualifiedPattern }),
  value: optionalString('Value of the taint.', { maxLength: 63, pattern: labelValuePattern }),
  effect: stringEnum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
    description: 'Effect of the taint.',
  }),
});

/** How a machine is reached: of `spec.machines` of a Cluster and of the spec of a Machine alike. */
export const machineFields = {
  ip: address(),
  port,
  ...loginFields,
  credentialsFrom: Type.Optional(CredentialsFrom),
  hostKey: Type.Optional(hostKey('Fingerprint of its SSH host key as ssh-keygen -l prints it.')),
  labels,
  taints: optionalList(Taint, `Taints of its Node, set ${whenJoined}.`, { maxItems: 100 }),
  proxy: Type.Optional(Proxy),
};
