import type { SessionInfo, SignIn } from '#web/wire/session.ts';
import { setClockBy } from './clock.ts';
import { getSession, signIn, signOut, type Answer } from './requests.ts';
import { createStore, useStore } from './store.ts';

/** Who uses the page. `unreachable`: the server of the dashboard did not answer. */
export type SessionState =
  | { readonly type: 'asking' }
  | { readonly type: 'known'; readonly info: SessionInfo; readonly message: string }
  | { readonly type: 'unreachable'; readonly message: string };

const session = createStore<SessionState>({ type: 'asking' });

export const useSession = (): SessionState => useStore(session, (each) => each);

/** Asks the server who is signed in. `message`: why this is asked, for the page to sign in. */
export async function askSession(message = ''): Promise<SessionState> {
  const requestedAt = Date.now();
  const answer = await getSession();
  if (answer.type === 'answer' && answer.value.isSignedIn) setClockBy(answer.value.now, requestedAt);
  const next: SessionState =
    answer.type === 'answer'
      ? { type: 'known', info: answer.value, message }
      : { type: 'unreachable', message: answer.message };
  // A page that is shown stays while the server is away.
  if (next.type === 'known' || session.get().type !== 'known') session.set(next);
  return next;
}

/** The refusal as a message; undefined: signed in. */
export async function enter(given: SignIn): Promise<string | undefined> {
  const answer: Answer<unknown> = await signIn(given);
  const refusal = answer.type === 'failure' ? answer.message : undefined;
  await askSession(refusal);
  return refusal;
}

export async function leave(): Promise<void> {
  await signOut();
  await askSession('You have signed out.');
}
