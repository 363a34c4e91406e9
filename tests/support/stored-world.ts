import type { JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { instant } from '#base/time.ts';
import { controlNames } from '#cli/install/control-names.ts';
import { loadControllers, startControl } from '#cli/start-controllers.ts';
import { controlClients } from '#command/control-clients.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import type { Transport } from '#edge/kube/transport.ts';
import type { Outgoing, OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { readyAnswer } from '#edge/outgoing/ready-answer.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { kindOf, nameOf, objectKeyOf, type KubeObject } from '#kube/object.ts';
import { Newest } from '#loop/owned/newest.ts';
import type { MachineIo } from '#machines/controller/machine-io.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import { journalOf, latestTime } from './stored-fixtures.ts';
import { found, never, openWorld, type World } from './world.ts';

/** A cluster in which objects are stored already, and all our controllers. */
export type StoredWorld = AsyncDisposable &
  Pick<World, 'stored' | 'pass' | 'until' | 'settle' | 'client'> & {
    /** URLs that hooks have asked. */
    readonly asked: string[];
    /** Clusters whose machines a controller wanted to reach, and files that it wanted to deliver to them. */
    readonly opened: string[];
    /** From now on hooks are answered like this; until then they are not. */
    answer(service: (url: string) => JsonObject): void;
    /** A user ends the pause of a workload. */
    resume(workload: KubeObject): Promise<void>;
  };

export type StoredWorldOptions = {
  /** Stands between the controllers and the server. */
  readonly around?: (direct: Transport) => Transport;
  /** Definitions that are served instead of the present ones. */
  readonly definitions?: readonly KubeObject[];
};

export async function openStoredWorld(
  objects: readonly KubeObject[],
  { around = (direct) => direct, definitions = [] }: StoredWorldOptions = {},
): Promise<StoredWorld> {
  const now = instant(latestTime(objects) + 60_000);
  const clock = manualClock(now);
  const journal = journalOf(objects, now);
  const base = await openWorld({ clock, journal, controllers: 'all', nodes: 3, ownKinds: true });
  for (const definition of definitions) await replaceDefinition(base, definition);
  const asked: string[] = [];
  const opened: string[] = [];
  const waiting: (() => void)[] = [];
  let service: ((url: string) => JsonObject) | undefined;
  const outgoing: Outgoing = ({ url }, signal) => {
    base.touch();
    asked.push(url);
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      const look = (): void =>
        service === undefined ? void waiting.push(look) : resolve(answerOf(service(url)));
      look();
    });
  };
  const control = startControl({
    ...controlClients(around(base.direct), clock),
    hmac: hmacSha256Hex,
    clock,
    random: seededRandom(5),
    tasks: systemTasks,
    names: new Set(controlNames),
    loaded: await loadControllers(),
    report: () => undefined,
    outgoing,
    machines: unreachableMachines(opened),
  });
  await control.synced;
  return {
    ...base,
    asked,
    opened,
    answer(next) {
      service = next;
      for (const look of waiting.splice(0)) look();
    },
    async resume(workload) {
      const resource = kindOf(workload) === 'GameDeployment' ? gameDeployments : gameStatefulSets;
      const body = { spec: { updateStrategy: { paused: false } } };
      found(await base.client.patch(resource, objectKeyOf(workload), { type: 'merge', body }, never));
    },
    async [Symbol.asyncDispose]() {
      await control.close();
      await base[Symbol.asyncDispose]();
    },
  };
}

async function replaceDefinition(world: World, definition: KubeObject): Promise<void> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${nameOf(definition)}`;
  const { body: live } = await world.send('GET', path);
  const { status, text } = await world.send('PUT', path, {
    body: { ...live, spec: definition['spec'] ?? {} },
  });
  if (status !== 200) throw new Error(`${path}: ${text}`);
  await world.settle();
}

/** Nobody may reach a machine: who tries is noted. */
const unreachableMachines = (opened: string[]): MachineIo => ({
  namespace: 'boathook-system',
  filesRoot: '/nowhere',
  sources: (paths) => {
    opened.push(...paths);
    return Promise.resolve(new Map());
  },
  source: () => Promise.reject(new Error('there are no files')),
  sha256: (text) => `sha256:${text.length}`,
  secret: (text) => ({ reveal: () => text }) as never,
  open: ({ cluster }) => {
    opened.push(cluster);
    return Promise.reject(new Error('no machine can be reached'));
  },
  logFile: () => '/nowhere',
  logEnded: () => undefined,
  logsEnded: () => undefined,
  holder: 'test',
  underWay: new Map(),
  newest: new Newest(),
});

const answerOf = (said: JsonObject): OutgoingAnswer => readyAnswer(200, JSON.stringify(said));
