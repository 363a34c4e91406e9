import type { Random } from '#base/random.ts';
import { later, minutes, seconds, type Clock, type Instant } from '#base/time.ts';
import { isSameSecret } from './same-secret.ts';

/** How long a link can be used. */
const lifetime = minutes(10);
/** A new link replaces one at most so often, whoever asks for it. */
const betweenLinks = seconds(20);

/** The one-time tokens of links. Only the newest link works, once. */
export class LinkTokens {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #random: Random;
  #lastMade: Instant | undefined;
  #current: { readonly token: string; readonly until: Instant } | undefined;

  constructor({ clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A token for a new link. */
  create(): string {
    const now = this.#clock.now();
    const token = secretText(this.#random);
    this.#lastMade = now;
    this.#current = { token, until: later(now, lifetime) };
    return token;
  }

  /** A token for a new link; undefined: the last one is too new. */
  renew(): string | undefined {
    if (this.#lastMade !== undefined && this.#clock.now() - this.#lastMade < betweenLinks) return undefined;
    return this.create();
  }

  /** Whether the token is that of the link. It works once. */
  redeem(token: string): boolean {
    const current = this.#current;
    if (current === undefined || !isSameSecret(token, current.token)) return false;
    this.#current = undefined;
    return this.#clock.now() < current.until;
  }
}

/** 244 random bits in letters and digits. */
export const secretText = (random: Random): string => `${random.uuid()}${random.uuid()}`.replaceAll('-', '');
