import { EventEmitter, once } from 'node:events';

/** What a client knows of one object: what it holds and since which revision, or that it is not there. */
type Known = { readonly value: string; readonly revision: number } | undefined;

/** A write that was sent: what the object is to hold, or that it is to be gone. */
type Attempt = { readonly wanted: string | undefined; readonly floor: number };

/**
 * The client's own log of what the server acknowledged: the judge of whether a server that was killed kept
 * its word. A write without an answer may have happened or not; everything else must be as it was said.
 */
export class WriteLog {
  readonly #known = new Map<string, Known>();
  readonly #open = new Map<string, Attempt>();
  /** What each revision was given for. */
  readonly #given = new Map<number, string>();
  readonly #acknowledged = new Set<number>();
  readonly #told = new Set<number>();
  readonly #complaints: string[] = [];
  readonly #answered = new EventEmitter();
  #highest = 0;
  #lastTold = 0;
  #answers = 0;
  #doubts = 0;

  get complaints(): readonly string[] {
    return this.#complaints;
  }
  get answers(): number {
    return this.#answers;
  }
  /** Writes whose answer was lost with the server. */
  get doubts(): number {
    return this.#doubts;
  }
  /** The revision that a watch goes on from. */
  get lastTold(): number {
    return this.#lastTold;
  }
  /** Names a client left in the store, and that no write is under way for. */
  present(prefix: string): readonly string[] {
    return [...this.#known].flatMap(([name, known]) =>
      known !== undefined && name.startsWith(prefix) && !this.#open.has(name) ? [name] : [],
    );
  }

  /** Before a write is sent. */
  begin(name: string, wanted: string | undefined): void {
    this.#open.set(name, { wanted, floor: this.#highest });
  }

  /** The server said yes. Deletions are answered without a revision. */
  acknowledge(name: string, revision: number | undefined): void {
    const attempt = this.#open.get(name);
    if (attempt === undefined) throw new Error(`nobody asked for ${name}`);
    this.#open.delete(name);
    this.#answers += 1;
    this.#answered.emit('answer');
    if (attempt.wanted === undefined || revision === undefined) {
      this.#known.set(name, undefined);
      return;
    }
    if (revision <= attempt.floor)
      this.#complain(`${name} got revision ${revision}, though ${attempt.floor} was out before it was asked`);
    this.#give(revision, `${name}=${attempt.wanted}`);
    this.#acknowledged.add(revision);
    this.#known.set(name, { value: attempt.wanted, revision });
    this.#highest = Math.max(this.#highest, revision);
  }

  /** Settles when so many more writes were acknowledged. */
  async moreAnswers(count: number): Promise<void> {
    for (const wanted = this.#answers + count; this.#answers < wanted;) await once(this.#answered, 'answer');
  }

  /** What a watch told. */
  tell(name: string, value: string | undefined, revision: number): void {
    if (revision <= this.#lastTold)
      this.#complain(`the watch told revision ${revision} after ${this.#lastTold}`);
    this.#lastTold = Math.max(this.#lastTold, revision);
    this.#told.add(revision);
    this.#give(revision, value === undefined ? `${name} deleted` : `${name}=${value}`);
  }

  /** Compares with all that the server holds after a restart, and settles what was in doubt. */
  compare(found: ReadonlyMap<string, NonNullable<Known>>, revision: number): void {
    const floor = Math.max(this.#highest, this.#lastTold);
    if (revision < floor) this.#complain(`the store is at ${revision}, but ${floor} was handed out`);
    for (const name of new Set([...this.#known.keys(), ...this.#open.keys(), ...found.keys()]))
      this.#judge(name, found.get(name));
    this.#open.clear();
    this.#highest = Math.max(this.#highest, revision);
    if (this.#lastTold === 0) this.#lastTold = revision;
  }

  /** Acknowledged writes that a watch without gaps was never told of. */
  untold(): readonly number[] {
    return [...this.#acknowledged].filter((revision) => !this.#told.has(revision));
  }

  #judge(name: string, now: Known): void {
    const before = this.#known.get(name);
    const attempt = this.#open.get(name);
    if (attempt !== undefined) this.#doubts += 1;
    if (isSame(before, now)) return;
    this.#known.set(name, now);
    if (attempt !== undefined && now?.value === attempt.wanted) {
      if (now !== undefined) this.#give(now.revision, `${name}=${now.value}`);
      return;
    }
    if (now === undefined) this.#complain(`${name} is lost: ${before?.value} was acknowledged`);
    else if (before === undefined) this.#complain(`${name} is back with ${now.value}`);
    else
      this.#complain(
        `${name} holds ${now.value} at ${now.revision}, not ${before.value} at ${before.revision}`,
      );
  }

  #give(revision: number, what: string): void {
    const other = this.#given.get(revision);
    if (other !== undefined && other !== what)
      this.#complain(`revision ${revision} was handed out twice: for ${other} and for ${what}`);
    this.#given.set(revision, what);
  }

  #complain(text: string): void {
    this.#complaints.push(text);
  }
}

const isSame = (one: Known, other: Known): boolean =>
  one?.value === other?.value && one?.revision === other?.revision;
