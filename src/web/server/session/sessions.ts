import type { Random } from '#base/random.ts';
import { later, millis, minutes, type Clock, type Instant } from '#base/time.ts';
import type { UserIdentity } from '#web/server/live/user-identity.ts';
import { secretText } from './link-tokens.ts';

/** A browser that is signed in. */
export type Session = {
  /** The content of its cookie. */
  readonly id: string;
  readonly csrf: string;
  readonly identity: UserIdentity;
  readonly endsAt: Instant;
  /** Aborts when the session ends; the message of its reason is for the user. */
  readonly ended: AbortSignal;
};

const lifetime = minutes(12 * 60);
/** More are not kept: the oldest ends. */
const most = 1000;

type SessionsDeps = {
  readonly clock: Clock;
  readonly random: Random;
  /** Called when a session has ended. */
  readonly onEnd: (session: Session) => void;
};

export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #kept = new Map<string, { readonly session: Session; readonly end: (message: string) => void }>();

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  /** `until`: when the credentials end, if that is known. */
  open(identity: UserIdentity, until: Instant | undefined): Session {
    const { clock, random, onEnd } = this.#deps;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= most && oldest !== undefined) this.end(oldest, 'too many sessions are open');
    const now = clock.now();
    const endsAt = Math.min(later(now, lifetime), until ?? Infinity) as Instant;
    const ending = new AbortController();
    const id = secretText(random);
    const session = { id, csrf: secretText(random), identity, endsAt, ended: ending.signal };
    const cancel = clock.after(millis(Math.max(0, endsAt - now)), () =>
      this.end(id, 'the session has ended: sign in again'),
    );
    const end = (message: string): void => {
      cancel();
      ending.abort(new SessionEnded(message));
      onEnd(session);
    };
    this.#kept.set(id, { session, end });
    return session;
  }

  /** The session of a cookie, unless it has ended. */
  find(id: string): Session | undefined {
    const session = this.#kept.get(id)?.session;
    return session === undefined || this.#deps.clock.now() >= session.endsAt ? undefined : session;
  }

  end(id: string, message: string): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    kept?.end(message);
  }

  /** Ends all sessions, or those of one identity. */
  endAll(message: string, identity?: string): void {
    for (const { session } of this.#kept.values())
      if (identity === undefined || session.identity.key === identity) this.end(session.id, message);
  }
}

/** Why a session has ended, in a sentence. */
class SessionEnded extends Error {
  override readonly name = 'SessionEnded';
}
