import { textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom } from '#base/random.ts';
import { instant, millis, type Instant } from '#base/time.ts';
import { kinds } from '#cli/kinds.ts';
import { loadControllers, startControl, type Control } from '#cli/start-controllers.ts';
import { controlClients } from '#command/control-clients.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Transport } from '#edge/kube/transport.ts';
import type { Outgoing, OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { virtualTime, type VirtualTime } from '#edge/virtual-time.ts';
import { controllerNames } from '#embedded/controllers/start.ts';
import { startEmbedded, type Embedded } from '#embedded/start.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { lateNews } from '../support/late-news.ts';
import { mortal, type Mortal } from '../support/mortal.ts';
import { ReleaseObserver } from '../support/release-observer.ts';
import { relisting } from '../support/relist.ts';
import type { HookMood } from './happenings.ts';
import { storm, type Storm } from './storm.ts';

const names = ['hookrun', 'hooktemplate', 'gamedeployment', 'gamestatefulset'] as const;
const start = Date.UTC(2026, 0, 5, 12);
const admin = { user: 'user', groups: ['system:masters'] };

/** A control plane on virtual time whose controllers can be killed, cut off and started again. */
export class SimCluster {
  readonly time: VirtualTime = virtualTime(start);
  readonly observer: ReleaseObserver;
  readonly storm: Storm;
  readonly moods = new Map<string, HookMood>();
  readonly problems: unknown[] = [];
  /** What happened, in order; the same seed gives the same lines. */
  readonly trace: string[] = [];
  client!: KubeClient;
  #embedded!: Embedded;
  #direct!: Transport;
  #control: Control | undefined;
  #life: Mortal = mortal(Infinity, 'after');
  #calmAt: Instant = instant(0);
  #isHeld = false;
  readonly #news = lateNews(['pods', 'hookruns', 'gamedeployments']);
  readonly #watches = relisting();
  readonly #ours = new Set<string>();
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.observer = new ReleaseObserver({ isOurDeletion: (pod) => this.#ours.has(uidOf(pod)) });
    this.storm = storm(seededRandom(seed + 1), this.time.clock);
  }

  async open(): Promise<void> {
    const { time } = this;
    this.#embedded = await time.until(
      startEmbedded({
        journal: memoryJournal(),
        clock: time.clock,
        random: seededRandom(this.#seed + 2),
        tasks: time.tasks,
        tokens: [],
        rootCa: '',
        kubeControllers: new Set(controllerNames),
        nodes: { count: 3, profile: 'instant', timeScale: 1, seed: this.#seed },
        kinds,
        report: (problem) => this.problems.push(problem),
      }),
    );
    await time.until(this.#embedded.ready);
    const { serve, context } = this.#embedded.server;
    this.#direct = inProcessTransport(serve, admin);
    this.client = createClient({ transport: this.#direct, clock: time.clock, userAgent: 'user' });
    context.store.subscribe((changes) => {
      for (const { type, resource, after } of changes) this.#see(type, resource, after.object);
    });
    await this.restart();
  }

  #see(type: 'ADDED' | 'MODIFIED' | 'DELETED', resource: string, object: KubeObject): void {
    const at = this.time.clock.now();
    this.observer.see({ type, object, at });
    if (/^\/pods$|^tkex/.test(resource))
      this.trace.push(
        `${at - start} ${type} ${resource} ${textAt(object, 'metadata', 'namespace')}/${textAt(object, 'metadata', 'name')} ${textAt(object, 'status', 'phase') ?? ''} ${textAt(object, 'metadata', 'resourceVersion')}`,
      );
  }

  /** Starts new controllers. `life`: when they are killed. */
  async restart(life: Mortal = mortal(Infinity, 'after')): Promise<void> {
    const { time } = this;
    await this.#close();
    this.#life = life;
    const loaded = await loadControllers(names);
    const way = [life, this.#news, this.#watches, this.storm].reduce<Transport>(
      (direct, each) => each.around(direct),
      this.#noting(this.#direct),
    );
    this.#control = startControl({
      ...controlClients(way, time.clock),
      hmac: hmacSha256Hex,
      clock: time.clock,
      random: seededRandom(this.#seed + 3),
      tasks: time.tasks,
      names: new Set(names),
      loaded,
      outgoing: this.#outgoing,
      report: () => undefined,
    });
    this.#disturbed(30);
  }

  async #close(): Promise<void> {
    if (this.#control !== undefined) await this.time.until(this.#control.close());
    this.#control = undefined;
  }

  #noting(direct: Transport): Transport {
    return (request) => {
      if (request.method === 'DELETE' && /\/pods\/[^/]+$/.test(request.path))
        this.#ours.add(textAt(JSON.parse(request.body ?? '{}') as JsonObject, 'preconditions', 'uid') ?? '');
      return direct(request);
    };
  }

  /** Hooks are called with the namespace in the path. */
  readonly #outgoing: Outgoing = async ({ url, timeout }, signal) => {
    const mood = this.moods.get(new URL(url).pathname.slice(1)) ?? 'good';
    if (mood === 'none') {
      await this.time.clock.sleep(timeout, signal);
      return { type: 'failed', why: 'timeout', message: 'no answer in time', latency: timeout };
    }
    if (mood === 'broken') return reply(500, { error: 'x' });
    return reply(200, { age: mood === 'good' ? 20 : 90 });
  };

  holdNews(isHeld: boolean): void {
    if (isHeld) this.#news.hold();
    else this.#news.release();
    this.#isHeld = isHeld;
    this.#disturbed(1);
  }

  loseWatches(): void {
    this.#watches.lose();
    this.#disturbed(30);
  }

  rage(length: number, share: number): void {
    this.storm.rage(length, share);
    this.#disturbed(length + 30);
  }

  /** Controllers may not have seen everything for so long. */
  #disturbed(seconds: number): void {
    this.#calmAt = instant(Math.max(this.#calmAt, this.time.clock.now() + seconds * 1000));
  }

  /** Lets time pass until then. */
  async pass(until: Instant): Promise<void> {
    for (;;) {
      const moved = await this.time.step(until);
      if (this.#life.isDead) {
        this.trace.push(`${this.time.clock.now() - start} the controllers are killed`);
        await this.restart();
      }
      if (!this.#isHeld && this.time.clock.now() >= this.#calmAt) this.observer.calm();
      if (!moved) return;
    }
  }

  stored(resource: string): readonly KubeObject[] {
    const { store } = this.#embedded.server.context;
    return [...store.table(resource).range(undefined)].map(({ object }) => object);
  }

  async close(): Promise<void> {
    this.#news.release();
    await this.#close();
    await this.time.until(this.#embedded.close());
  }
}

const reply = (status: number, body: JsonObject): OutgoingAnswer => ({
  type: 'answer',
  status,
  headers: {},
  body: JSON.stringify(body),
  latency: millis(0),
});
