import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Terminal } from './kubectl.ts';
import type { Following } from './program.ts';
import { eventFlags, watchedEvents } from './watched-events.ts';

/** What a person does with releases in a terminal, and what they see there. */
export type CanaryTerminal = {
  readonly terminal: Terminal;
  apply(...objects: readonly JsonObject[]): Promise<string>;
  /** `kubectl patch --type=json` with one replacement, as the documents have it. */
  replace(kind: string, name: string, path: string, value: Json): Promise<string>;
  get(kind: string, name: string): Promise<KubeObject>;
  list(kind: string): Promise<readonly KubeObject[]>;
  /** The columns of `kubectl get` between NAME and AGE. */
  row(kind: string, name: string): Promise<string>;
  /** Settles when the row is seen. */
  untilRow(kind: string, name: string, row: string): Promise<void>;
  /** The rows of an object from now on, for one that is soon followed by another. */
  rows(kind: string, name: string): Promise<RowWatch>;
  /** Settles when the status has these members, with the object of that moment. */
  untilStatus(kind: string, name: string, status: JsonObject): Promise<KubeObject>;
  /** The first object of a kind that fits, of those there are and those there will be. */
  seen(kind: string, fits: (object: KubeObject) => boolean, name?: string): Promise<KubeObject>;
  /** Settles when the HookRuns are these: name and phase. */
  untilRuns(expected: readonly RegExp[]): Promise<readonly string[]>;
};

/** `kubectl get --watch`: no row is missed. */
export type RowWatch = AsyncDisposable & { until(row: string): Promise<void> };

const patience = { timeout: 240_000, interval: 150 };

export function canaryTerminal(terminal: Terminal): CanaryTerminal {
  const get: CanaryTerminal['get'] = (kind, name) => terminal.json<KubeObject>(['get', kind, name]);
  const list: CanaryTerminal['list'] = async (kind) =>
    listAt(await terminal.json<JsonObject>(['get', kind]), 'items') as readonly KubeObject[];
  const row: CanaryTerminal['row'] = async (kind, name) =>
    countsIn(await terminal.run(['get', kind, name, '--no-headers']));
  const seen: CanaryTerminal['seen'] = async (kind, fits, name) => {
    await using following = terminal.follow([
      'get',
      kind,
      ...(name === undefined ? [] : named(name)),
      ...eventFlags,
    ]);
    let last: KubeObject | undefined;
    const find = async (): Promise<KubeObject> => {
      for await (const { type, object } of watchedEvents(following)) {
        last = object;
        if (type !== 'DELETED' && fits(object)) return object;
      }
      throw new Error('a watch does not end');
    };
    return await inTime(find(), () => `no ${kind} fits; the last one: ${JSON.stringify(last?.['status'])}`);
  };
  const read = async (following: Following, wanted: string): Promise<void> => {
    let last = '';
    const find = async (): Promise<void> => {
      while (last !== wanted) last = countsIn(await following.line());
    };
    await inTime(find(), () => `the last row is "${last}", not "${wanted}"`);
  };
  return {
    terminal,
    apply: (...objects) =>
      terminal.run(['apply', '-f', '-'], {
        stdin: objects.map((object) => JSON.stringify(object)).join('\n---\n'),
      }),
    replace: (kind, name, path, value) =>
      terminal.run([
        'patch',
        kind,
        name,
        '--type=json',
        '-p',
        JSON.stringify([{ op: 'replace', path, value }]),
      ]),
    get,
    list,
    row,
    async untilRow(kind, name, expected) {
      await using following = terminal.follow(['get', kind, ...named(name), '--watch', '--no-headers']);
      await read(following, expected);
    },
    async rows(kind, name) {
      const following = await terminal.watching(['get', kind, ...named(name), '--watch', '--no-headers']);
      return {
        until: (expected) => read(following, expected),
        [Symbol.asyncDispose]: () => following[Symbol.asyncDispose](),
      };
    },
    untilStatus: (kind, name, status) => seen(kind, (object) => hasStatus(object, status), name),
    seen,
    async untilRuns(expected) {
      const runs = async (): Promise<readonly string[]> =>
        (await list('hookrun')).map((run) => `${nameOf(run)} ${textAt(run, 'status', 'phase') ?? ''}`).sort();
      await expect
        .poll(runs, patience)
        .toEqual([...expected].map((pattern) => expect.stringMatching(pattern) as string));
      return runs();
    },
  };
}

/** As a list: of a single object kubectl drops the first event, and what happened since it read the object. */
const named = (name: string): readonly string[] => ['--field-selector', `metadata.name=${name}`];

/** The columns of a row between NAME and AGE. */
function countsIn(row: string): string {
  const cells = row.trim().split(/\s+/).slice(1);
  return cells
    .slice(
      0,
      cells.findIndex((cell) => !/^\d+$/.test(cell)),
    )
    .join(' ');
}

function hasStatus(object: KubeObject, status: JsonObject): boolean {
  try {
    expect(object['status']).toMatchObject(status);
    return true;
  } catch {
    // Not yet.
    return false;
  }
}

/** Rejects with what was found instead when it takes too long. */
async function inTime<Value>(wanted: Promise<Value>, found: () => string): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(found())), patience.timeout);
  try {
    return await Promise.race([wanted, late.promise]);
  } finally {
    clearTimeout(timer);
    wanted.catch(() => undefined);
  }
}

/** A hook service on this machine whose answer can be changed; it notes what it was asked. */
export type HookService = AsyncDisposable & {
  readonly url: string;
  readonly asked: string[];
  age: number;
  /** Questions wait for their answer from now on. */
  hold(): void;
  /** Answers those that wait, and all later ones. */
  release(): void;
};

export async function startHookService(age: number): Promise<HookService> {
  const held = new Set<() => void>();
  let isHeld = false;
  const server = createServer((request, response) => {
    service.asked.push(request.url ?? '');
    const answer = (): void => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name: 'bryan', male: 'yes', age: service.age }));
    };
    if (isHeld) held.add(answer);
    else answer();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const service: HookService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    age,
    hold: () => void (isHeld = true),
    release() {
      isHeld = false;
      for (const answer of held) answer();
      held.clear();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

export const hookTemplate = (name: string, metric: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name },
  spec: { ...more, metrics: [{ name: 'webtest', ...metric }] },
});

/** A workload of ours whose selector and template belong together. */
export const gameWorkload = (kind: string, name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind,
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'python', image: 'python:latest' }] },
    },
    ...spec,
  },
});

export const imagePath = '/spec/template/spec/containers/0/image';
export const imageOf = (pod: KubeObject): string =>
  textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';
export const restartsOf = (pod: KubeObject): number =>
  numberAt(listAt(pod, 'status', 'containerStatuses')[0], 'restartCount') ?? -1;
