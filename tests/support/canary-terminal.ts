import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Terminal } from './kubectl.ts';

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
  /** Settles when the status has these members. */
  untilStatus(kind: string, name: string, status: JsonObject): Promise<KubeObject>;
  /** Settles when the HookRuns are these: name and phase. */
  untilRuns(expected: readonly RegExp[]): Promise<readonly string[]>;
};

const patience = { timeout: 60_000, interval: 150 };

export function canaryTerminal(terminal: Terminal): CanaryTerminal {
  const get: CanaryTerminal['get'] = (kind, name) => terminal.json<KubeObject>(['get', kind, name]);
  const list: CanaryTerminal['list'] = async (kind) =>
    listAt(await terminal.json<JsonObject>(['get', kind]), 'items') as readonly KubeObject[];
  const row: CanaryTerminal['row'] = async (kind, name) => {
    const out = await terminal.run(['get', kind, name, '--no-headers']);
    const cells = out.trim().split(/\s+/).slice(1);
    return cells
      .slice(
        0,
        cells.findIndex((cell) => !/^\d+$/.test(cell)),
      )
      .join(' ');
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
    untilRow: (kind, name, expected) => expect.poll(() => row(kind, name), patience).toBe(expected),
    async untilStatus(kind, name, status) {
      await expect.poll(async () => (await get(kind, name))['status'], patience).toMatchObject(status);
      return get(kind, name);
    },
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

/** A hook service on this machine whose answer can be changed; it notes what it was asked. */
export type HookService = AsyncDisposable & {
  readonly url: string;
  readonly asked: string[];
  age: number;
};

export async function startHookService(age: number): Promise<HookService> {
  const server = createServer((request, response) => {
    service.asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: 'bryan', male: 'yes', age: service.age }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const service: HookService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    age,
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
