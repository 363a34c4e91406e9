import type { Random } from '#base/random.ts';
import { millis, seconds, type Clock, type Instant, type Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import type { Refusal, RefusalType } from '#edge/kube/outcome.ts';
import type { WatchEvent, WatchOptions } from '#edge/kube/watch.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { backOff, type BackOffSpans } from '#base/back-off.ts';
import { textAt } from '#base/json.ts';
import { keyOf } from './delta.ts';
import { listObjects, selectionOf, type Keep } from './list-objects.ts';
import { reasonOf, reportNothing, type Report } from './report.ts';
import { isOlder } from './versions.ts';

export type FollowDeps = {
  readonly client: Pick<KubeClient, 'pages' | 'list' | 'watch'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly resource: Resource;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** What of each object the server sends: all of it unless given. */
  readonly content?: 'metadata' | undefined;
  readonly idle?: Millis | undefined;
  readonly report?: Report | undefined;
  /**
   * Asks for all objects as the first events of the watch, so that neither side holds a whole list. A server that does
   * not support it is asked for a list.
   */
  readonly streamsLists?: boolean | undefined;
  /** Called each time that the server does not know the resource. */
  readonly onMissing?: (() => void) | undefined;
};

/** Receives the objects of a resource and their changes. */
export type Sink<Decoded> = {
  /** What is kept of a listed object: the known one when it is the same, otherwise this one decoded, or nothing. */
  readonly keep: Keep<Decoded>;
  /** The whole list. `isRestored`: the server's store was restored to an earlier state, so older objects count. */
  replace(objects: ReadonlyMap<string, Decoded>, isRestored: boolean): void;
  put(object: KubeObject): void;
  remove(object: KubeObject): void;
  /** After `replace` and `reached`. */
  listed(): void;
  /** Everything up to this resourceVersion was received. */
  reached(resourceVersion: string): void;
};

const betweenAttempts: BackOffSpans = { first: millis(500), longest: seconds(30) };
/** After so many stale lists in a row the store itself was restored, not just one server lagging. */
const mostStaleLists = 5;
/** After so many failed watches in a row the server may not be able to serve our resourceVersion. */
const mostFailedWatches = 5;
const settledAfter = seconds(1);
/** A watch that fails after this time was served: failures before it say nothing about the next attempt. */
const servedAfter = seconds(2);
/** A server that sends bookmarks only every minute sends nothing in this time for a resource that does not change. */
const silentAfter = seconds(20);

/**
 * How an attempt ended. `listed`: the watch is next; `unsupported`: the server streams no lists; `watched`: the server
 * ended a watch that had events; `empty`: it ended one without events, or our resourceVersion is too old; `failed`:
 * anything else.
 */
type Ending = 'listed' | 'unsupported' | 'watched' | 'empty' | 'failed';

/** The annotation of the bookmark after the last of the initial events. */
const endOfInitialEvents = 'k8s.io/initial-events-end';
/** Refusals by servers that know `sendInitialEvents` not, or have it switched off. */
const unsupported: ReadonlySet<RefusalType> = new Set(['invalid', 'forbidden', 'refused']);

/** Lists a resource and follows its changes until the signal aborts. Nothing else ends it. */
export async function followResource<Decoded>(
  deps: FollowDeps,
  sink: Sink<Decoded>,
  signal: AbortSignal,
): Promise<void> {
  const follower = new Follower(deps, sink, signal);
  try {
    while (!signal.aborted) await follower.step();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

class Follower<Decoded> {
  readonly #deps: FollowDeps;
  readonly #sink: Sink<Decoded>;
  readonly #signal: AbortSignal;
  readonly #report: Report;
  /** The newest resourceVersion received. */
  #position = '';
  #mustList = true;
  #failures = 0;
  /** Failed watches in a row from the same position. */
  #failedWatches = 0;
  /** When the last watch began. */
  #begun: Instant;
  /** What was asked for last, if it failed. */
  #lastFailed: 'list' | 'watch' | undefined;
  #staleLists = 0;
  /** It was reported that the connection is lost. */
  #isLost = false;
  #listInOnePiece = false;
  #streamsLists: boolean;
  /** A stream of objects has failed: the next attempt is a plain list. */
  #listsOnce = false;
  /** Watches are kept so short that each ends, with a bookmark, before its silence is taken for a dead connection. */
  #keepsShort = false;

  constructor(deps: FollowDeps, sink: Sink<Decoded>, signal: AbortSignal) {
    this.#deps = deps;
    this.#sink = sink;
    this.#signal = signal;
    this.#report = deps.report ?? reportNothing;
    this.#streamsLists = deps.streamsLists === true;
    this.#begun = deps.clock.now();
  }

  async step(): Promise<void> {
    const request = this.#mustList ? 'list' : 'watch';
    const ending = await this.#attempt();
    const isAnswered = ending === (request === 'list' ? 'listed' : 'empty');
    // The connection is back: how long it was lost says nothing about what follows.
    const isBack = isAnswered && this.#lastFailed === request;
    this.#lastFailed = ending === 'failed' ? request : undefined;
    if (ending === 'watched' || isBack) this.#failures = 0;
    if (ending === 'listed' || ending === 'watched' || ending === 'unsupported') return;
    this.#failures += 1;
    // One watch without events is normal; a server that ends every watch at once is as bad as one that fails.
    if (ending === 'failed' || this.#failures > 1) await this.#pause();
  }

  async #attempt(): Promise<Ending> {
    try {
      if (!this.#mustList) return await this.#watch({ resourceVersion: this.#position });
      const streams = this.#streamsLists && !this.#listsOnce;
      this.#listsOnce = streams;
      return streams ? await this.#watch({ sendInitialEvents: true }) : await this.#list();
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!this.#mustList) this.#watchFailed();
      return this.#failed(reasonOf(error));
    }
  }

  #watchFailed(): void {
    this.#failedWatches += 1;
    if (this.#failedWatches >= mostFailedWatches) this.#mustList = true;
    if (this.#deps.clock.now() - this.#begun >= servedAfter) this.#failures = 0;
  }

  async #list(): Promise<Ending> {
    const inPages = !this.#listInOnePiece;
    const listed = await listObjects(this.#deps, { inPages, keep: this.#sink.keep }, this.#signal);
    this.#listInOnePiece = listed.type === 'gone' && inPages;
    if (listed.type !== 'ok') return this.#refused(listed);
    return this.#replace(listed.objects, listed.resourceVersion);
  }

  #replace(objects: ReadonlyMap<string, Decoded>, resourceVersion: string): 'listed' | 'failed' {
    const isStale = isOlder(resourceVersion, this.#position);
    this.#staleLists = isStale ? this.#staleLists + 1 : 0;
    if (isStale && this.#staleLists < mostStaleLists)
      return this.#failed(`the list has resourceVersion ${resourceVersion}, older than ${this.#position}`);
    this.#staleLists = 0;
    this.#failedWatches = 0;
    this.#sink.replace(objects, isStale);
    this.#reach(resourceVersion);
    this.#sink.listed();
    this.#mustList = false;
    this.#listsOnce = false;
    if (this.#isLost) this.#connected();
    return 'listed';
  }

  async #watch(from: Pick<WatchOptions, 'resourceVersion' | 'sendInitialEvents'>): Promise<Ending> {
    const { client, clock, random, resource, idle } = this.#deps;
    this.#begun = clock.now();
    const selection = { ...selectionOf(this.#deps), ...from, idle };
    const initial = new Map<string, Decoded>();
    // Jitter, so that informers do not all reconnect at once.
    const timeoutSeconds = this.#keepsShort
      ? 17 + Math.floor(random.next() * 4)
      : 300 + Math.floor(random.next() * 300);
    let ending: Ending = 'empty';
    for await (const event of client.watch(resource, { ...selection, timeoutSeconds }, this.#signal)) {
      this.#signal.throwIfAborted();
      const end = this.#mustList ? this.#gather(initial, event) : this.#change(event);
      if (end !== undefined) return end;
      ending = 'watched';
    }
    if (this.#mustList) return this.#failed('the server ended the stream of objects early');
    const lasted = clock.now() - this.#begun;
    if (ending === 'empty' && lasted >= silentAfter) this.#keepsShort = true;
    return lasted >= settledAfter ? 'watched' : ending;
  }

  /** One of the events with which a stream of objects begins. Returns how the stream ended, if it did. */
  #gather(initial: Map<string, Decoded>, event: WatchEvent): Ending | undefined {
    if ('code' in event) {
      if (!unsupported.has(event.type)) return this.#refused(event);
      this.#streamsLists = false;
      return 'unsupported';
    }
    const { type, object } = event;
    if (isEndOfInitial(event)) {
      if (this.#replace(initial, resourceVersionOf(object)) === 'failed') return 'failed';
      this.#failures = 0;
      return undefined;
    }
    const kept = type === 'ADDED' || type === 'MODIFIED' ? this.#sink.keep(object) : undefined;
    if (kept !== undefined) initial.set(keyOf(object), kept);
    else if (type !== 'BOOKMARK') initial.delete(keyOf(object));
    return undefined;
  }

  /** An event of a watch. Returns how the watch ended, if it did. */
  #change(event: WatchEvent): Ending | undefined {
    if ('code' in event) {
      this.#mustList = true;
      return event.type === 'gone' ? 'empty' : this.#failed(event.message);
    }
    this.#failures = 0;
    this.#failedWatches = 0;
    if (event.type !== 'BOOKMARK') this.#keepsShort = false;
    if (this.#take(event)) return undefined;
    this.#mustList = true;
    return 'empty';
  }

  /** False for a bookmark that is older than what was received. */
  #take({ type, object }: ChangeEvent): boolean {
    const version = resourceVersionOf(object);
    const isOld = isOlder(version, this.#position);
    if (type === 'BOOKMARK' && isOld) return false;
    if (type === 'DELETED') this.#sink.remove(object);
    else if (type !== 'BOOKMARK' && !isOld) this.#sink.put(object);
    // Last: an event that could not be processed is received again.
    if (!isOld && version !== '') this.#reach(version);
    return true;
  }

  #reach(version: string): void {
    this.#position = version;
    this.#sink.reached(version);
  }

  async #pause(): Promise<void> {
    this.#signal.throwIfAborted();
    const span = backOff(this.#failures, this.#deps.random.next(), betweenAttempts);
    await this.#deps.clock.sleep(span, this.#signal);
  }

  /** The list, or the stream of objects, was refused. */
  #refused({ type, message }: Refusal): Ending {
    if (type === 'not-found') this.#deps.onMissing?.();
    return type === 'gone' ? 'empty' : this.#failed(message);
  }

  #failed(why: string): 'failed' {
    const { group, plural } = this.#deps.resource;
    const about = { group, resource: plural, failures: this.#failures, why };
    this.#isLost = true;
    this.#report('an informer lost the connection to the API server', about, 'warn');
    return 'failed';
  }

  #connected(): void {
    const { group, plural } = this.#deps.resource;
    this.#isLost = false;
    const about = { group, resource: plural, failures: this.#failures };
    this.#report('an informer has listed its objects again', about, 'info');
  }
}

type ChangeEvent = Exclude<WatchEvent, { code: number }>;

const isEndOfInitial = ({ type, object }: ChangeEvent): boolean =>
  type === 'BOOKMARK' && textAt(object, 'metadata', 'annotations', endOfInitialEvents) === 'true';
