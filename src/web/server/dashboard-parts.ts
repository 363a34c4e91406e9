import type { DashboardDeps } from './dashboard-deps.ts';
import type { Session, Sessions } from './session/sessions.ts';
import type { SignedInUser } from './session/signed-in-user.ts';

/** What the routes share. */
export type DashboardParts = {
  readonly deps: DashboardDeps;
  readonly sessions: Sessions;
  /** Aborts when the dashboard closes. */
  readonly signal: AbortSignal;
  /** Whether this is the token of the link; if not, a new link is printed. */
  redeem(token: string): boolean;
  /** Opens a session for a user. */
  open(user: SignedInUser): Session;
};
