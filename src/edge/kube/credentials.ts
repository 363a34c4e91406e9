import { readFile } from 'node:fs/promises';
import { later, seconds, type Clock, type Instant } from '#base/time.ts';
import { Secret } from '#edge/secret.ts';
import type { ClientCertificate, UserAccess } from './access.ts';
import { runExecPlugin, type ExecCredential, type ExecSurroundings } from './exec-plugin.ts';
import { reasonOf, Unavailable } from './unavailable.ts';

/** What a request carries. */
export type Credential = {
  /** The value of the Authorization header. */
  readonly authorization: Secret | undefined;
  readonly certificate: ClientCertificate | undefined;
};

export type Credentials = {
  current(signal: AbortSignal): Promise<Credential>;
  /** The server did not accept this one: true when asking again may give another. */
  rejected(credential: Credential): boolean;
};

type Kept = { readonly credential: Credential; readonly until: Instant | undefined };

/** How long a token file's content is trusted. */
const fileTrust = seconds(10);

/** The credentials of a user, kept until they expire; requests that wait for new ones share them. */
export function credentialsOf(user: UserAccess, clock: Clock, surroundings: ExecSurroundings): Credentials {
  const { login } = user;
  const certificate = user.certificate;
  const bearer = (token: Secret): Secret => new Secret(`Bearer ${token.reveal()}`);
  switch (login.type) {
    case 'none':
      return fixed({ authorization: undefined, certificate });
    case 'token':
      return fixed({ authorization: bearer(login.token), certificate });
    case 'basic':
      return fixed({ authorization: basic(login.user, login.password), certificate });
    case 'token-file':
      return renewed(clock, async () => {
        const token = await readToken(login.path);
        return {
          credential: { authorization: bearer(token), certificate },
          until: later(clock.now(), fileTrust),
        };
      });
    case 'exec':
      return renewed(clock, async (signal) => {
        const made: ExecCredential = await runExecPlugin(login.plugin, surroundings, signal);
        const authorization = made.token === undefined ? undefined : bearer(made.token);
        return {
          credential: { authorization, certificate: made.certificate ?? certificate },
          until: made.expires,
        };
      });
  }
}

const fixed = (credential: Credential): Credentials => ({
  current: () => Promise.resolve(credential),
  rejected: () => false,
});

const basic = (user: string, password: Secret): Secret =>
  new Secret(`Basic ${Buffer.from(`${user}:${password.reveal()}`).toString('base64')}`);

function renewed(clock: Clock, renew: (signal: AbortSignal) => Promise<Kept>): Credentials {
  let kept: Kept | undefined;
  let renewing: { readonly result: Promise<Kept>; readonly by: AbortSignal } | undefined;
  const start = (signal: AbortSignal): NonNullable<typeof renewing> => {
    const result = renew(signal).finally(() => (renewing = undefined));
    return { result, by: signal };
  };
  return {
    async current(signal) {
      while (kept === undefined || (kept.until !== undefined && clock.now() >= kept.until)) {
        const under = (renewing ??= start(signal));
        try {
          kept = await under.result;
          break;
        } catch (error) {
          // The request that started it may have been called off: then this one starts it again.
          if (under.by === signal || !under.by.aborted) throw error;
        }
      }
      return kept.credential;
    },
    rejected(credential) {
      // Another request may have refreshed the credentials already.
      if (kept?.credential === credential) kept = undefined;
      return true;
    },
  };
}

async function readToken(path: string): Promise<Secret> {
  try {
    const token = (await readFile(path, 'utf8')).trim();
    if (token !== '') return new Secret(token);
  } catch (error) {
    throw new Unavailable(`The token file ${path} cannot be read: ${reasonOf(error)}.`, error);
  }
  throw new Unavailable(`The token file ${path} is empty.`);
}
