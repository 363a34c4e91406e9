import { later, seconds } from '#base/time.ts';
import { namespaces } from '#loop/owned/resources.ts';
import { brokenText, stackLines } from './broken-world.ts';
import { byTime } from './choice.ts';
import type { Happening } from './plan-happenings.ts';
import type { RoundPlan, WorldPlan } from './plan-world.ts';
import { SimCluster } from './sim-cluster.ts';
import { Subject } from './subject.ts';
import type { PlayedWorld, PlayOptions } from './world-sort.ts';

const never = new AbortController().signal;

/** Plays a world to its end: in each round things happen, faults cease, and everything must come to the declared state. */
export async function playWorld(plan: WorldPlan, options: PlayOptions = {}): Promise<PlayedWorld> {
  const { seed, leading } = plan;
  const hasPartitions = plan.rounds.some(({ faults }) => faults.some(({ type }) => type === 'partition'));
  const cluster = new SimCluster({ seed, leading, hasPartitions, server: 'model', ...options });
  await cluster.open();
  const world = new World(cluster, plan);
  const broken: unknown[] = [];
  try {
    await world.begin();
    for (const round of plan.rounds) if (!(await world.play(round))) break;
  } catch (error) {
    broken.push(error);
  }
  await cluster.close().catch((error: unknown) => broken.push(error));
  const { complaints, judged, trace } = cluster;
  const happened = { happenings: world.happenings, 'standalone runs': world.runs };
  return {
    complaints: [...complaints, ...world.complaints, ...broken.map(brokenText)],
    histories: world.histories,
    judged: { ...judged, ...happened },
    faults: cluster.allFaults,
    trace: [...trace, ...broken.flatMap(stackLines)],
    digest: cluster.digest?.hex() ?? '',
  };
}

/** After faults cease things may take so long by themselves, in seconds. */
const calm = 120;
/** And so many times a user has to help. */
const mostHelp = 40;

class World {
  readonly complaints: string[] = [];
  histories = 0;
  /** Those of the histories that are hook runs without a release. */
  runs = 0;
  happenings = 0;
  readonly #cluster: SimCluster;
  readonly #subjects: readonly Subject[];

  constructor(cluster: SimCluster, { subjects }: WorldPlan) {
    this.#cluster = cluster;
    this.#subjects = subjects.map((plan, number) => {
      // The first subject has nobody to share with.
      const isSecond = plan.sharesBudget === true && number > 0;
      return new Subject(cluster, { ...plan, sharesBudget: isSecond }, `h${isSecond ? number - 1 : number}`);
    });
  }

  async begin(): Promise<void> {
    const { client, time } = this.#cluster;
    await time.until(client.create(namespaces, { metadata: { name: 'boathook' } }, never));
    for (const subject of this.#subjects) await subject.create();
    await this.#cluster.begin();
    const isUp = (): boolean =>
      this.#subjects.every((each) => each.plan.kind === 'HookRun' || each.lack() === undefined);
    for (let passed = 0; passed < 60 && !isUp(); passed += 2) await this.#pass(2);
  }

  /** False: a rule is broken, and no further round is played. */
  async play(round: RoundPlan): Promise<boolean> {
    const { now } = this.#cluster;
    const before = this.#releases();
    for (const subject of this.#subjects) await subject.beginRound();
    for (const { at, act } of this.#acts(round)) {
      await this.#cluster.pass(later(now, seconds(at)));
      await act();
      this.happenings += 1;
    }
    await this.#cluster.cease();
    for (const { namespace } of this.#subjects) this.#cluster.hooks.behaviours.set(namespace, 'good');
    await this.#settle();
    this.#close(round);
    if (this.#cluster.complaints.length + this.complaints.length > 0) return false;
    const runs = this.#subjects.filter(({ plan }) => plan.kind === 'HookRun');
    this.runs += runs.length;
    this.histories += this.#releases() - before + runs.length;
    return true;
  }

  #releases(): number {
    return this.#cluster.steps.judged.releases;
  }

  #acts({
    faults,
    happenings,
  }: RoundPlan): readonly { readonly at: number; readonly act: () => Promise<void> }[] {
    return [
      ...faults.map((fault) => ({ at: fault.at, act: () => this.#cluster.inject(fault) })),
      ...happenings.map((each) => ({
        at: each.at,
        act: () => this.#happen(each),
      })),
    ].toSorted(byTime);
  }

  async #happen(happening: Happening): Promise<void> {
    const subject = this.#subjects[happening.who];
    const { meets } = happening;
    if (subject === undefined) return;
    if (meets === undefined) await subject.happen(happening);
    else this.#cluster.meet(subject.namespace, meets, () => subject.happen(happening));
  }

  /** Everything comes to the declared state, by itself or with the help of users that it asks for. */
  async #settle(): Promise<void> {
    const unfinished = (): readonly Subject[] => this.#subjects.filter((each) => each.lack() !== undefined);
    const silent = (): readonly Subject[] => unfinished().filter((each) => !each.hasReason());
    for (let passed = 0; passed < calm && silent().length > 0; passed += 4) await this.#pass(4);
    for (const subject of silent())
      this.#complain(subject, `${subject.lack() ?? ''} for ${calm} s and does not say why`);
    for (let help = 0; help < mostHelp && unfinished().length > 0; help += 1) {
      for (const subject of unfinished()) await subject.goOn();
      await this.#pass(6);
    }
    for (const subject of unfinished())
      this.#complain(subject, `never came to the declared state: it ${subject.lack() ?? ''}`);
  }

  #close({ happenings }: RoundPlan): void {
    const deleted = new Set(
      happenings.filter(({ type }) => type === 'delete').map(({ who }) => this.#subjects[who]?.namespace),
    );
    this.#cluster.events.close((namespace) => !deleted.has(namespace));
  }

  #complain(subject: Subject, what: string): void {
    const { namespace, plan } = subject;
    const message = subject.workload()?.['status'];
    this.complaints.push(
      `${plan.kind} ${namespace} ${what}: ${JSON.stringify(message)?.slice(0, 600) ?? ''}`,
    );
  }

  #pass(length: number): Promise<void> {
    return this.#cluster.pass(later(this.#cluster.now, seconds(length)));
  }
}
