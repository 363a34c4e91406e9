import type { HookTrialBody, HookTrialReply } from '#web/wire/hook-test.ts';
import type { ActReply, ActRequestBody, SessionInfo, SignIn } from '#web/wire/session.ts';

/** A request that brought nothing usable. */
export type RequestFailure = { readonly type: 'failure'; readonly status: number; readonly message: string };
export type Answer<T> = { readonly type: 'answer'; readonly value: T } | RequestFailure;

let csrf = '';

/** What tells this session from others. */
export const sessionName = (): string => csrf;

export async function getSession(): Promise<Answer<SessionInfo>> {
  const answer = await ask<SessionInfo>('GET', '/api/session');
  if (answer.type === 'answer' && answer.value.isSignedIn) csrf = answer.value.csrf;
  return answer;
}

/** Signs in with the token of a link or of Kubernetes; what it brings is asked for by `getSession`. */
export const signIn = (given: SignIn): Promise<Answer<unknown>> => ask('POST', '/api/session', given);

export const signOut = (): Promise<Answer<unknown>> => ask('DELETE', '/api/session');

export const requestAct = (body: ActRequestBody): Promise<Answer<ActReply>> => ask('POST', '/api/acts', body);

export const tryHook = (body: HookTrialBody): Promise<Answer<HookTrialReply>> =>
  ask('POST', '/api/hooks/test', body);

async function ask<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['x-boathook-csrf'] = csrf;
  try {
    const reply = await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'same-origin',
      cache: 'no-store',
    });
    const text = await reply.text();
    const value = text === '' ? undefined : readJson(text);
    // A refused act has a status above 400 and says in its reply what was refused.
    if (reply.ok || hasResult(value)) return { type: 'answer', value: value as T };
    return { type: 'failure', status: reply.status, message: messageOf(value) ?? `${reply.status} ${text}` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { type: 'failure', status: 0, message: `The server of the dashboard does not answer: ${why}` };
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const hasResult = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('result' in value || 'type' in value);

const messageOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'message' in value ? String(value.message) : undefined;
