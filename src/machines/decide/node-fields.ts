import { at, numberAt, objectAt, textAt, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { checkIp } from '#kube/names.ts';
import type { MachineCredentials } from './cluster-spec.ts';
import type { LoginMethod, Origin, SecretRef } from './model.ts';
import type { SpecProblem } from './problem.ts';

/** Sources of credentials beside the entry itself. */
export type CredentialOptions = {
  /** The SSH agent of the user. */
  readonly agent: boolean;
  /** `credentialsFrom`: the entry has been completed from its Secret. */
  readonly readsSecrets?: boolean;
};

const fingerprint = /^SHA256:[A-Za-z0-9+/]{43}=?$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** `base64` prints long values in lines. */
const isBase64 = (value: Json): boolean =>
  typeof value === 'string' && base64.test(value.replaceAll(/\s/g, ''));

const under = ({ file, pointer }: Origin, key: string): Origin => ({ file, pointer: `${pointer}/${key}` });

/** The address, the port and the pinned key of a machine entry. */
export function checkAddress(entry: Json, origin: Origin, keyName = 'hostKey'): readonly SpecProblem[] {
  const problems: SpecProblem[] = [];
  const ip = textAt(entry, 'ip');
  if (ip === undefined || ip === '')
    problems.push({ origin: under(origin, 'ip'), message: 'ip is required' });
  else if (checkIp(ip).length > 0)
    problems.push({ origin: under(origin, 'ip'), message: `"${ip}" is not an IP address` });
  const port = at(entry, 'port');
  if (port !== undefined && !isPort(port))
    problems.push({
      origin: under(origin, 'port'),
      message: `${printJson(port)} is not a port: a whole number from 1 to 65535`,
    });
  const pinned = at(entry, keyName);
  if (pinned !== undefined && !(typeof pinned === 'string' && fingerprint.test(pinned)))
    problems.push({
      origin: under(origin, keyName),
      message: 'must be a fingerprint as ssh-keygen -l prints it: SHA256:…',
    });
  return problems;
}

export const portOf = (entry: Json): number => numberAt(entry, 'port') ?? 22;

const secretKeys = ['password', 'privateKey', 'passPhrase'] as const;

/** The credentials in an entry, in base64 as TKEStack has them. */
export function credentialsOf(entry: Json, origin: Origin, options: CredentialOptions): MachineCredentials {
  const user = textAt(entry, 'username') ?? 'root';
  const secret = (key: (typeof secretKeys)[number]): SecretRef => ({
    type: 'document',
    file: origin.file,
    pointer: `${origin.pointer}/${key}`,
    encoding: 'base64',
  });
  const has = (key: (typeof secretKeys)[number]): boolean => (textAt(entry, key) ?? '').trim() !== '';
  const methods: LoginMethod[] = [];
  if (options.agent) methods.push({ type: 'agent' });
  if (has('privateKey'))
    methods.push({
      type: 'privateKey',
      key: secret('privateKey'),
      ...(has('passPhrase') && { passphrase: secret('passPhrase') }),
    });
  if (has('password')) methods.push({ type: 'password', password: secret('password') });
  if (methods.length > 0) return { type: 'given', login: { user, methods, sudo: user !== 'root' } };
  return { type: 'missing', problem: missingCredentials(entry, origin, options) };
}

function missingCredentials(entry: Json, origin: Origin, { readsSecrets }: CredentialOptions): SpecProblem {
  const from = readsSecrets === true ? objectAt(entry, 'credentialsFrom') : undefined;
  if (from === undefined)
    return {
      origin: under(origin, 'password'),
      message: 'password or privateKey is required (or --ssh-agent)',
    };
  const secret = `${textAt(from, 'namespace') ?? 'default'}/${textAt(from, 'name') ?? ''}`;
  return {
    origin: under(origin, 'credentialsFrom'),
    message: `the Secret ${secret} has neither a password nor a privateKey: give it one of these keys`,
  };
}

/** Values are not part of the message: they are secrets. */
export const checkSecrets = (entry: Json, origin: Origin): readonly SpecProblem[] =>
  secretKeys.flatMap((key) => {
    const value = at(entry, key);
    if (value === undefined || isBase64(value)) return [];
    const message = `${key} must be in base64, as in: echo -n … | base64`;
    return [{ origin: under(origin, key), message }];
  });

const isPort = (value: Json): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535;
