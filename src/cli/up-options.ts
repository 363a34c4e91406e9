import { join, resolve } from 'node:path';
import type { AuthorizationMode } from '#apiserver/authorization/access.ts';
import { controllerNames, type ControllerName } from '#builtin/start.ts';
import { ExitError } from './exit.ts';

export type UpOptions = {
  readonly dataDir: string;
  readonly ephemeral: boolean;
  readonly host: string;
  readonly port: number;
  readonly kubeconfig: string;
  readonly tokenFile: string | undefined;
  readonly authorization: AuthorizationMode;
  readonly controllers: ReadonlySet<string>;
  readonly kubeControllers: ReadonlySet<ControllerName>;
};

/** Boathook's own controllers, as they come. */
const ownControllers: readonly string[] = [];

/** Flags as commander gives them, checked. */
export function upOptions(given: Readonly<Record<string, unknown>>): UpOptions {
  const text = (name: string): string => (typeof given[name] === 'string' ? given[name] : '');
  const dataDir = resolve(text('dataDir'));
  return {
    dataDir,
    ephemeral: given['ephemeral'] === true,
    host: text('host'),
    port: portOf(text('port')),
    kubeconfig: text('kubeconfig') === '' ? join(dataDir, 'kubeconfig') : resolve(text('kubeconfig')),
    authorization: authorizationOf(text('authorization')),
    tokenFile: text('tokenFile') === '' ? undefined : resolve(text('tokenFile')),
    controllers: chosen('--controllers', text('controllers'), ownControllers),
    kubeControllers: chosen('--kube-controllers', text('kubeControllers'), controllerNames),
  };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new ExitError(2, `--port ${text} is not a port: give a number from 0 to 65535 (0 picks a free one)`);
}

function authorizationOf(text: string): AuthorizationMode {
  if (text === 'allow' || text === 'rbac') return text;
  throw new ExitError(2, `--authorization ${text} does not exist: use rbac or allow`);
}

function chosen<Name extends string>(flag: string, text: string, known: readonly Name[]): ReadonlySet<Name> {
  if (text === 'all') return new Set(known);
  if (text === 'none') return new Set();
  const names = text.split(',').filter((name) => name !== '');
  const found = known.filter((name) => names.includes(name));
  const unknown = names.filter((name) => !known.some((each) => each === name));
  if (unknown.length === 0) return new Set(found);
  const valid = known.length === 0 ? 'there are none yet' : `choose from ${known.join(', ')}`;
  throw new ExitError(
    2,
    `${flag} names ${unknown.join(', ')}, which does not exist: use all, none, or ${valid}`,
  );
}
