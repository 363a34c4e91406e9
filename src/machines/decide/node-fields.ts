import { at, numberAt, textAt, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { checkIp } from '#kube/names.ts';
import type { Login, LoginMethod, Origin, SecretRef } from './model.ts';
import type { Problem } from './problem.ts';

/** How a node may be logged into beside what its file says. */
export type LoginOptions = { readonly agent: boolean };

const fingerprint = /^SHA256:[A-Za-z0-9+/]{43}=?$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** `base64` prints long values in lines. */
const isBase64 = (value: Json): boolean =>
  typeof value === 'string' && base64.test(value.replaceAll(/\s/g, ''));

const under = ({ file, pointer }: Origin, key: string): Origin => ({ file, pointer: `${pointer}/${key}` });

/** The address, the port and the pinned key of a machine entry. */
export function checkAddress(entry: Json, origin: Origin, keyName = 'hostKey'): readonly Problem[] {
  const problems: Problem[] = [];
  const ip = textAt(entry, 'ip');
  if (ip === undefined || ip === '')
    problems.push({ origin: under(origin, 'ip'), message: 'ip is required' });
  else if (checkIp(ip).length > 0)
    problems.push({ origin: under(origin, 'ip'), message: `"${ip}" is no IP address` });
  const port = at(entry, 'port');
  if (port !== undefined && !isPort(port))
    problems.push({
      origin: under(origin, 'port'),
      message: `${printJson(port)} is no port: a whole number from 1 to 65535`,
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

/** TKEStack's way: everything in base64 in the entry itself. */
export function loginOf(entry: Json, origin: Origin, { agent }: LoginOptions): Login {
  const user = textAt(entry, 'username') ?? 'root';
  const secret = (key: string): SecretRef => ({
    type: 'document',
    file: origin.file,
    pointer: `${origin.pointer}/${key}`,
    encoding: 'base64',
  });
  const has = (key: string): boolean => (textAt(entry, key) ?? '') !== '';
  const methods: LoginMethod[] = [];
  if (agent) methods.push({ type: 'agent' });
  if (has('privateKey'))
    methods.push({
      type: 'privateKey',
      key: secret('privateKey'),
      ...(has('passPhrase') && { passphrase: secret('passPhrase') }),
    });
  if (has('password')) methods.push({ type: 'password', password: secret('password') });
  return { user, methods, sudo: user !== 'root' };
}

/** What `loginOf` relies on. Values are not repeated: they are secrets. */
export function checkLogin(entry: Json, origin: Origin, { agent }: LoginOptions): readonly Problem[] {
  const problems: Problem[] = [];
  const secrets = ['password', 'privateKey', 'passPhrase'];
  const present = (key: string): boolean => (textAt(entry, key) ?? '') !== '';
  if (!agent && !present('password') && !present('privateKey'))
    problems.push({
      origin: under(origin, 'password'),
      message: 'password or privateKey is required (or --ssh-agent)',
    });
  for (const key of secrets) {
    const value = at(entry, key);
    if (value !== undefined && !isBase64(value))
      problems.push({
        origin: under(origin, key),
        message: `${key} must be in base64, as in: echo -n … | base64`,
      });
  }
  return problems;
}

const isPort = (value: Json): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535;
