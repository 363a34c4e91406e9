import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom, type Random } from '#base/random.ts';
import { minutes, type Instant } from '#base/time.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import { virtualTime, type VirtualTime } from '#edge/virtual-time.ts';
import { controllerNames } from '#embedded/controllers/start.ts';
import type { NodeShape } from '#embedded/nodes/node/node-shape.ts';
import type { ProfileName } from '#embedded/nodes/tuning/profiles.ts';
import { startEmbedded, type EmbeddedDeps } from '#embedded/start.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { Controller } from '#loop/controller.ts';
import type { Kind } from '#schema/kind/kind.ts';

/** The parts of Boathook that a rehearsal runs. */
export type RehearsedProduct = {
  readonly kinds: readonly Kind[];
  /** Loads the controllers of releases: code must not be loaded while time passes. */
  readonly control: (parts: RehearsedParts) => Promise<StartControl>;
};

export type RehearsedParts = {
  readonly outgoing: Outgoing;
  /** In place of the controller of HookRuns. */
  readonly hookRuns: (deps: ControlDeps) => Controller;
};

export type StartControl = NonNullable<EmbeddedDeps['control']>;

export type VirtualClusterOptions = {
  readonly start: Instant;
  readonly seed: number;
  readonly nodes: number;
  readonly profile: ProfileName;
  readonly kinds: readonly Kind[];
  readonly control: StartControl;
  /** Resources of which deleted objects are kept too. */
  readonly remembered?: readonly Resource[];
};

/** Pods are not refused for what they request: the nodes of a real cluster are not known. */
const shape: NodeShape = { cpu: '1000000', memory: '1000000Gi', pods: 110, ephemeralStorage: '1000000Gi' };

/** Nodes do not fail here, and nobody reads what they do as a matter of routine. */
const quietNodes = { timeScale: 1, shape, heartbeat: minutes(60), routineEvents: false } as const;

/** A whole control plane with simulated nodes in this process, on virtual time. */
export type VirtualCluster = AsyncDisposable & {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly client: KubeClient;
  /** The objects of a resource as they are now. */
  stored(resource: Resource): readonly KubeObject[];
  /** The objects of a resource that exist or existed, each as it was last. */
  everStored(resource: Resource): readonly KubeObject[];
  /** Tells of each change of an object of this resource, deletions too. */
  watch(resource: Resource, see: (object: KubeObject) => void): void;
  /** Number of changes of this resource so far. */
  changesOf(resource: Resource): number;
  /** Unexpected errors of the control plane. */
  readonly problems: readonly unknown[];
};

const administrator = { user: 'rehearsal', groups: ['system:masters'] };

export async function openVirtualCluster(options: VirtualClusterOptions): Promise<VirtualCluster> {
  const { start, seed, nodes, profile, kinds, control, remembered = [] } = options;
  const time = virtualTime(start);
  const { clock, tasks } = time;
  const random = seededRandom(seed);
  const problems: unknown[] = [];
  const embedded = await time.until(
    startEmbedded({
      journal: memoryJournal(),
      clock,
      random,
      tasks,
      tokens: [],
      rootCa: '',
      kubeControllers: new Set(controllerNames),
      nodes: { ...quietNodes, count: nodes, profile, seed },
      // Informers in the same process do not lose their place.
      bookmarkEvery: minutes(60),
      kinds,
      control,
      report: (problem) => problems.push(problem),
    }),
  );
  await time.until(embedded.ready);
  const { serve, context } = embedded.server;
  const changes = new Map<string, number>();
  const known = new Map(remembered.map((resource) => [tableOf(resource), new Map<string, KubeObject>()]));
  context.store.subscribe((all) => {
    for (const { resource, after } of all) {
      changes.set(resource, (changes.get(resource) ?? 0) + 1);
      known.get(resource)?.set(uidOf(after.object), after.object);
    }
  });
  const transport = inProcessTransport(serve, administrator);
  return {
    time,
    random,
    client: createClient({ transport, clock, userAgent: 'boathook-rehearse' }),
    stored: (resource) =>
      [...context.store.table(tableOf(resource)).range(undefined)].map(({ object }) => object),
    everStored: (resource) => [...(known.get(tableOf(resource)) ?? new Map<string, KubeObject>()).values()],
    watch: (resource, see) =>
      void context.store.subscribe((all) => {
        for (const { resource: table, after } of all) if (table === tableOf(resource)) see(after.object);
      }),
    changesOf: (resource) => changes.get(tableOf(resource)) ?? 0,
    problems,
    [Symbol.asyncDispose]: () => time.until(embedded.close()),
  };
}

const tableOf = ({ group, plural }: Resource): string => `${group}/${plural}`;
