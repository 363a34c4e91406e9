import { textAt, type JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { millis } from '#base/time.ts';
import { kinds } from '#cli/kinds.ts';
import { controlNames, type ControlName } from '#cli/install/control-names.ts';
import {
  loadControllers,
  startControl,
  type Control,
  type StartControlDeps,
} from '#cli/start-controllers.ts';
import { controlClients } from '#command/control-clients.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { Transport } from '#edge/kube/transport.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import type { Metrics } from '#base/metrics.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { Report } from '#loop/report.ts';
import { startServer, type ServerParts, type TestServer } from './test-server.ts';
import { canMove, impatience, inTime, moves, settled, turn } from './turn.ts';

export const never = new AbortController().signal;
const admin = { user: 'admin', groups: ['system:masters'] };
const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };

/** When the worlds begin. */
export const noon = Date.UTC(2026, 0, 5, 12);

export type WorldParts = Omit<ServerParts, 'clock' | 'nodes' | 'kinds'> & {
  readonly clock?: ManualClock;
  readonly nodes?: number | undefined;
  readonly profile?: 'instant' | 'fast';
  /** Whether the kinds of the product are served. */
  readonly ownKinds?: boolean;
  /** So many turns of the event loop without a change: nobody has anything left to do. */
  readonly quietTurns?: number;
  /** What else must hold before all is quiet. */
  readonly isQuiet?: () => boolean;
};

export type ControlOptions = {
  /** Stands between the controllers and the server. */
  readonly around?: (direct: Transport) => Transport;
  /** All unless given. */
  readonly names?: readonly ControlName[];
  readonly outgoing: Outgoing;
  readonly metrics?: Metrics | undefined;
  readonly report?: Report;
  /** What they reconcile; everything unless given. */
  readonly scope?: Pick<StartControlDeps, 'names' | 'owns' | 'keeps'> | undefined;
};

/** A control plane on a clock that stands still while anything happens. */
export type World = TestServer & {
  readonly clock: ManualClock;
  readonly client: KubeClient;
  /** The administrator's way to the server. */
  readonly direct: Transport;
  /** Notes that something happened which the store does not show. */
  touch(): void;
  /** Lets everything happen that can. */
  readonly settle: () => Promise<void>;
  /** The same, and then time passes, in steps. */
  pass(seconds: number, step?: number): Promise<void>;
  /** Lets time pass in steps of half a second until `isWanted`; rejects after `most` seconds. */
  until(isWanted: () => boolean | Promise<boolean>, most?: number): Promise<void>;
  /** Starts controllers of the product; whoever starts them closes them. */
  control(options: ControlOptions): Control;
  make(resource: Resource, object: JsonObject): Promise<KubeObject>;
  /** Type, reason and message of the events of an object. */
  told(name: string): Promise<readonly string[]>;
};

export async function openWorld(parts: WorldParts = {}): Promise<World> {
  const { clock = manualClock(noon), nodes = 0, profile = 'instant', ownKinds = false, ...rest } = parts;
  const { quietTurns = 12, isQuiet = () => true, ...given } = rest;
  const loaded = await loadControllers();
  const server = await startServer({
    ...given,
    mirrored: true,
    clock,
    ...(nodes > 0 && { nodes: { count: nodes, profile, timeScale: 1, seed: 1 } }),
    ...(ownKinds && { kinds }),
  });
  let changes = 0;
  server.onChange(() => (changes += 1));
  const direct = inProcessTransport(server.embedded.server.serve, admin);
  const { client } = controlClients(direct, clock);
  const settle = async (): Promise<void> => {
    const count = (): number => changes + moves();
    const hurry = impatience('the story did not come to rest');
    for (let [quiet, seen] = [0, count()]; quiet < quietTurns; seen = count()) {
      await turn();
      quiet = count() === seen && isQuiet() ? quiet + 1 : 0;
      hurry(() => (isQuiet() ? '' : 'something besides the API server is under way'));
    }
    settled();
  };
  const world: World = {
    ...server,
    clock,
    client,
    direct,
    touch: () => void (changes += 1),
    settle,
    async pass(seconds, step = 0.5) {
      await settle();
      for (let left = seconds; left > 0; left -= step)
        if (await canMove(clock.advance(millis(Math.min(step, left) * 1000)))) await settle();
    },
    async until(isWanted, most = 120) {
      for (let passed = 0, mayDiffer = true; ; passed += 0.5) {
        if (mayDiffer) await settle();
        if (mayDiffer && (await isWanted())) return;
        if (passed >= most) throw new Error('it never came to be');
        mayDiffer = await canMove(clock.advance(millis(500)));
      }
    },
    control: ({ around = (way) => way, names = controlNames, report = () => undefined, scope, ...more }) =>
      startControl({
        ...controlClients(around(direct), clock),
        hmac: hmacSha256Hex,
        clock,
        random: seededRandom(5),
        tasks: systemTasks,
        names: new Set(names),
        loaded,
        report,
        ...more,
        ...scope,
      }),
    make: async (resource, object) => found(await client.create(resource, object, never)),
    async told(name) {
      const listed = await client.list(events, { namespace: 'default' }, never);
      if (listed.type !== 'ok') throw new Error(listed.message);
      return listed.items
        .filter((event) => textAt(event, 'involvedObject', 'name') === name)
        .map((event) => ['type', 'reason', 'message'].map((field) => textAt(event, field)).join(' '));
    },
  };
  await inTime(server.embedded.ready, 'the controllers of Kubernetes were not ready');
  return world;
}

/** The object of an outcome; any other outcome is an error. */
export function found(outcome: Outcome): KubeObject {
  if (outcome.type === 'ok') return outcome.object;
  throw new Error(outcome.message);
}
