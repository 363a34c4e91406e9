import type { Journal } from '#base/journal.ts';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, millis } from '#base/time.ts';
import type { ControllerName } from '#embedded/controllers/start.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { openWorld } from './world.ts';

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

export async function openWorkloadWorld(options: WorldOptions = {}): Promise<WorkloadWorld> {
  const { controllers = 'all', journal, kubelet: isKubelet = true } = options;
  const base = await openWorld({ controllers, quietTurns: 25, ...(journal && { journal }) });
  const { clock, settle, send } = base;
  const lookers: (() => void)[] = [];
  base.onChange(() => {
    for (const look of lookers) look();
  });
  const request: WorkloadWorld['request'] = (method, path, body, type = 'application/json') =>
    send(method, path, { body, type });
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
  const advance = async (span: number): Promise<void> => {
    await settle();
    clock.advance(millis(span));
    await settle();
  };
  const pods = (): readonly KubeObject[] => base.stored('/pods');
  const setStatus: WorkloadWorld['setStatus'] = async (pod, status) => {
    const path = `/api/v1/namespaces/${namespaceOf(pod)}/pods/${nameOf(pod)}/status`;
    await request('PATCH', path, { status }, 'application/merge-patch+json');
  };
  if (isKubelet) {
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
    [Symbol.asyncDispose]: () => base[Symbol.asyncDispose](),
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
