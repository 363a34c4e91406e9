import { setTimeout as sleep } from 'node:timers/promises';
import { printPath, type RequestPath } from './request-path.ts';
import { testCluster } from './test-cluster.ts';

/** An open watch of a story. */
export type Stream = {
  readonly path: RequestPath;
  /** Whether the watch has a selector: then nobody knows which changes it tells. */
  readonly isSelective: boolean;
  /** The newest version that it has told. */
  told: number;
  /** The newest version that it has to tell, and until when that is worth waiting for. */
  due: number;
  patience: number;
};

/** How long an event may take after the answer to the write, in milliseconds. */
const patience = 1500;
/** The least that a pause takes, in milliseconds: controllers of the cluster act without telling anybody. */
const moment = testCluster()?.hasControllers === true ? 5 : 1;

/** A request without an answer for so long, in milliseconds, is a fault of the server or of this helper. */
const longestAnswer = 100_000;
/** So many of the last requests are named when a story does not come to rest. */
const remembered = 12;

type Running = { readonly what: string; readonly since: number };

/**
 * The requests under way to the cluster of this process, and the events that are still to come of what they wrote. The
 * clock of a story moves only when there are none.
 */
class Traffic {
  readonly #streams = new Set<Stream>();
  readonly #idle = new Set<() => void>();
  readonly #running = new Set<Running>();
  readonly #recent: string[] = [];
  #moves = 0;
  #changes = 0;

  /** Grows with everything that happens. */
  get moves(): number {
    return this.#moves;
  }

  /** Grows with what may change something: all but reads. */
  get changes(): number {
    return this.#changes;
  }

  async reading<Result>(what: string, request: Promise<Result>): Promise<Result> {
    const running = { what, since: performance.now() };
    this.#running.add(running);
    this.#moves += 1;
    if (this.#recent.push(what) > remembered) this.#recent.shift();
    try {
      return await request;
    } finally {
      this.#running.delete(running);
      this.#moves += 1;
    }
  }

  async during<Result>(what: string, request: Promise<Result>): Promise<Result> {
    this.#changes += 1;
    try {
      return await this.reading(what, request);
    } finally {
      this.#changes += 1;
    }
  }

  opened(stream: Stream): () => void {
    this.#streams.add(stream);
    return () => void this.#streams.delete(stream);
  }

  /** `isShown`: the event is not about an object of others. */
  told(stream: Stream, version: number, isShown: boolean): void {
    if (isShown) {
      this.#moves += 1;
      this.#changes += 1;
    }
    stream.told = Math.max(stream.told, version);
  }

  /** An object of the collection has got this version: its watches will tell it. */
  wrote({ base, plural, namespace }: RequestPath, version: number): void {
    for (const stream of this.#streams) {
      const { path, isSelective, told } = stream;
      const isAbout = path.base === base && path.plural === plural;
      const isInside = path.namespace === undefined || path.namespace === namespace;
      if (!isAbout || !isInside || isSelective || told >= version) continue;
      stream.due = Math.max(stream.due, version);
      stream.patience = performance.now() + patience;
    }
  }

  get isBusy(): boolean {
    if (this.#running.size > 0) return true;
    const now = performance.now();
    return [...this.#streams].some((stream) => isAwaited(stream, now));
  }

  /** What is waited for, and what happened last. */
  get diagnosis(): string {
    const now = performance.now();
    const requests = [...this.#running].map(
      ({ what, since }) => `no answer for ${((now - since) / 1000).toFixed(1)} s: ${what}`,
    );
    const watches = [...this.#streams]
      .filter((stream) => isAwaited(stream, now))
      .map(({ path, told, due }) => `the watch of ${printPath(path)} told ${told}, ${due} was written`);
    const last = `last requests: ${this.#recent.join(', ')}`;
    return [...requests, ...watches, `open watches: ${this.#streams.size}`, last].join('\n');
  }

  /** Called whenever nothing is under way. */
  onIdle(look: () => void): () => void {
    this.#idle.add(look);
    return () => void this.#idle.delete(look);
  }

  /** Settles when nothing is under way; not before a moment has passed. Rejects when an answer does not come. */
  async pause(): Promise<void> {
    let [seen, since] = [this.#moves, performance.now()];
    do {
      await sleep(moment);
      const now = performance.now();
      if (seen !== this.#moves) [seen, since] = [this.#moves, now];
      else if (now - since > longestAnswer) throw new Error(`nothing moves:\n${this.diagnosis}`);
    } while (this.isBusy);
    for (const look of this.#idle) look();
  }
}

const isAwaited = ({ told, due, patience: until }: Stream, now: number): boolean => told < due && now < until;

export const traffic = new Traffic();
