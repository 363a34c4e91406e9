import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestPath } from './request-path.ts';
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

/**
 * The requests under way to the cluster of this process, and the events that are still to come of what they wrote. The
 * clock of a story moves only when there are none.
 */
class Traffic {
  readonly #streams = new Set<Stream>();
  readonly #idle = new Set<() => void>();
  #requests = 0;
  #moves = 0;

  /** Grows with everything that happens. */
  get moves(): number {
    return this.#moves;
  }

  async during<Result>(request: Promise<Result>): Promise<Result> {
    this.#requests += 1;
    this.#moves += 1;
    try {
      return await request;
    } finally {
      this.#requests -= 1;
      this.#moves += 1;
    }
  }

  opened(stream: Stream): () => void {
    this.#streams.add(stream);
    return () => void this.#streams.delete(stream);
  }

  /** `isShown`: the event is not about an object of others. */
  told(stream: Stream, version: number, isShown: boolean): void {
    if (isShown) this.#moves += 1;
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
    if (this.#requests > 0) return true;
    const now = performance.now();
    return [...this.#streams].some(({ told, due, patience: until }) => told < due && now < until);
  }

  /** Called whenever nothing is under way. */
  onIdle(look: () => void): () => void {
    this.#idle.add(look);
    return () => void this.#idle.delete(look);
  }

  /** Settles when nothing is under way; not before a moment has passed. */
  async pause(): Promise<void> {
    do await sleep(moment);
    while (this.isBusy);
    for (const look of this.#idle) look();
  }
}

export const traffic = new Traffic();
