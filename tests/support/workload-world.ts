import type { Journal } from '#base/journal.ts';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom } from '#base/random.ts';
import { formatTime, millis } from '#base/time.ts';
import { controllerNames, type ControllerName } from '#embedded/controllers/start.ts';
import { startEmbedded } from '#embedded/start.ts';
import { textOf } from './body-text.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';

export type Reply = { readonly status: number; readonly body: JsonObject };

/** A control plane whose clock stands still while anything happens, with a stand-in for the kubelet. */
export type WorkloadWorld = AsyncDisposable & {
  request(method: string, path: string, body?: Json, contentType?: string): Promise<Reply>;
  create(path: string, object: JsonObject): Promise<JsonObject>;
  patch(path: string, body: JsonObject): Promise<JsonObject>;
  /** Settles when the answer to a GET is as wanted. Time passes only when nothing else does. */
  until(path: string, isWanted: (reply: Reply) => boolean): Promise<JsonObject>;
  items(path: string): Promise<readonly KubeObject[]>;
  /** Lets everything happen that can, and then time pass. */
  pass(seconds: number): Promise<void>;
  /** Called after every change of the store. */
  onChange(look: () => void): void;
  /** The pods there are now, read from the store itself. */
  pods(): readonly KubeObject[];
  setStatus(pod: KubeObject, status: JsonObject): Promise<void>;
  now(): string;
};

export type WorldOptions = {
  readonly controllers?: readonly ControllerName[];
  /** Pods become ready as soon as they are seen. */
  readonly kubelet?: boolean;
  /** What an earlier world left behind. */
  readonly journal?: Journal;
};

const admin = { certificate: { user: 'admin', groups: ['system:masters'] } };
const start = Date.UTC(2026, 0, 5, 12);
/** So many turns of the event loop without a change: nobody has anything left to do. */
const quietTurns = 25;

export async function openWorld(options: WorldOptions = {}): Promise<WorkloadWorld> {
  const clock = manualClock(start);
  const embedded = await startEmbedded({
    journal: options.journal ?? memoryJournal(),
    clock,
    random: seededRandom(11),
    tasks: systemTasks,
    tokens: [],
    rootCa: 'ca',
    kubeControllers: new Set(options.controllers ?? controllerNames),
    report: (error) => {
      throw error;
    },
  });
  const { store } = embedded.server.context;
  let changes = 0;
  const lookers: (() => void)[] = [];
  store.subscribe(() => {
    changes += 1;
    for (const look of lookers) look();
  });
  const request: WorkloadWorld['request'] = async (method, path, body, contentType = 'application/json') => {
    const [plain = '', query = ''] = path.split('?');
    const bytes = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
    const answer = await embedded.server.serve({
      method,
      path: plain,
      query,
      headers: {
        accept: 'application/json',
        'user-agent': 'story',
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      peer: admin,
      body: () => Promise.resolve(bytes),
      signal: new AbortController().signal,
    });
    const text = await textOf(answer.body);
    return {
      status: answer.status,
      body: text.startsWith('{') ? (JSON.parse(text) as JsonObject) : { message: text },
    };
  };
  const expectOk = async (
    method: string,
    path: string,
    body: JsonObject,
    type?: string,
  ): Promise<JsonObject> => {
    const reply = await request(method, path, body, type);
    if (reply.status < 300) return reply.body;
    throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  };
  const settle = async (): Promise<void> => {
    let quiet = 0;
    let seen = changes;
    while (quiet < quietTurns) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = changes === seen ? quiet + 1 : 0;
      seen = changes;
    }
  };
  const advance = async (span: number): Promise<void> => {
    await settle();
    clock.advance(millis(span));
    await settle();
  };
  const pods = (): readonly KubeObject[] =>
    [...store.table('/pods').range(undefined)].map((stored) => stored.object);
  const setStatus: WorkloadWorld['setStatus'] = async (pod, status) => {
    const path = `/api/v1/namespaces/${namespaceOf(pod)}/pods/${nameOf(pod)}/status`;
    await request('PATCH', path, { status }, 'application/merge-patch+json');
  };
  await embedded.ready;
  if (options.kubelet !== false) {
    const kubelet = standInKubelet(pods, setStatus, () => formatTime(clock.now()));
    lookers.push(kubelet);
    kubelet();
  }
  return {
    request,
    create: (path, object) => expectOk('POST', path, object),
    patch: (path, body) => expectOk('PATCH', path, body, 'application/merge-patch+json'),
    async until(path, isWanted) {
      for (let waits = 0; waits < 400; waits += 1) {
        const reply = await request('GET', path);
        if (isWanted(reply)) return reply.body;
        await advance(250);
      }
      const last = await request('GET', path);
      throw new Error(`${path} never came to be as wanted: ${JSON.stringify(last.body, null, 1)}`);
    },
    async items(path) {
      const { body } = await request('GET', path);
      return listAt(body, 'items') as readonly KubeObject[];
    },
    async pass(seconds) {
      await advance(seconds * 1000);
    },
    onChange: (look) => void lookers.push(look),
    pods,
    setStatus,
    now: () => formatTime(clock.now()),
    [Symbol.asyncDispose]: () => embedded.close(),
  };
}

/** Makes every pod ready once. */
function standInKubelet(
  pods: () => readonly KubeObject[],
  setStatus: WorkloadWorld['setStatus'],
  now: () => string,
): () => void {
  const seen = new Set<string>();
  let count = 0;
  return () => {
    for (const pod of pods()) {
      const uid = textAt(pod, 'metadata', 'uid') ?? '';
      if (seen.has(uid) || isDeleting(pod) || objectAt(pod, 'status')?.['phase'] !== 'Pending') continue;
      seen.add(uid);
      count += 1;
      void setStatus(pod, readyStatus(now(), `10.1.${Math.floor(count / 250)}.${count % 250}`));
    }
  };
}

const readyStatus = (time: string, ip: string): JsonObject => ({
  phase: 'Running',
  podIP: ip,
  podIPs: [{ ip }],
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time }],
});

/** The containers of every pod in these stories. */
export const templateOf = (
  image: string,
  labels: JsonObject = { app: 'x' },
  spec: JsonObject = {},
): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image }], ...spec },
});
