import type { Random } from '#base/random.ts';
import { later, minutes, type Clock, type Instant } from '#base/time.ts';
import { isSameSecret } from './same-secret.ts';

/** How long a link can be used. */
const lifetime = minutes(10);

/** The one-time tokens of links. Only the newest link works, once. */
export class LinkTokens {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #random: Random;
  #current: { readonly token: string; readonly until: Instant } | undefined;

  constructor({ clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A token for a new link. */
  create(): string {
    const token = secretText(this.#random);
    this.#current = { token, until: later(this.#clock.now(), lifetime) };
    return token;
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
