import { createHash } from 'node:crypto';
import type { Clock } from '#base/time.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import type { ServerChange } from './sim-server.ts';

/** Texts are hashed together when there is so much of them: many short ones take longer. */
const piece = 1 << 16;

/** A digest of everything that happens in a world, with the virtual time: the same for the same plan. */
export class WorldDigest {
  readonly #clock: Clock;
  readonly #hash = createHash('sha256');
  #text = '';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(what: string, about: unknown): void {
    this.#text += `${this.#clock.now()} ${what} ${JSON.stringify(about)}\n`;
    if (this.#text.length > piece) this.#flush();
  }

  /** Of a changed object the parts that are other ones than before. */
  see({ type, storage, object, before }: ServerChange): void {
    const changed =
      before === undefined
        ? object
        : Object.fromEntries(Object.entries(object).filter(([name, part]) => part !== before[name]));
    this.note(`${type} ${storage}`, changed);
  }

  /** The same calls, each of which is noted. */
  around(outgoing: Outgoing): Outgoing {
    return (request, signal) => {
      const { url, headers, body } = request;
      this.note('call', { url, headers, body });
      return outgoing(request, signal);
    };
  }

  hex(): string {
    this.#flush();
    return this.#hash.copy().digest('hex');
  }

  #flush(): void {
    this.#hash.update(this.#text);
    this.#text = '';
  }
}
