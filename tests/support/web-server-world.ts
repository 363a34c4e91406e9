import { parseJson } from '#base/json-text.ts';
import { textAt, type JsonObject } from '#base/json.ts';
import { controlLogs, type ControlLogs } from '#cli/control-logs.ts';
import { embeddedCluster } from '#cli/embedded-connector.ts';
import { kinds } from '#cli/kinds.ts';
import { controlNames } from '#cli/install/control-names.ts';
import { controlOn } from '#cli/start-controllers.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { systemRandom } from '#edge/random.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { Serve } from '#kube/http.ts';
import { Dashboard } from '#web/server/dashboard.ts';
import type { DashboardDeps } from '#web/server/dashboard-deps.ts';
import { listenDashboard, type OpenDashboard } from '#web/server/listen-dashboard.ts';
import type { ClusterConnector } from '#web/server/session/cluster-connector.ts';
import type { ActReply, ActRequestBody } from '#web/wire/session.ts';
import type { StreamMessage } from '#web/wire/stream.ts';
import { startServer, type TestServer } from './test-server.ts';

export type WebReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: JsonObject;
};

/** A browser that is signed in. */
export type WebUser = {
  readonly cookie: string;
  readonly csrf: string;
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<WebReply>;
  act(body: Partial<ActRequestBody>): Promise<ActReply>;
  follow(query: string): Promise<WebTab>;
};

/** An open event stream. */
export type WebTab = {
  readonly messages: readonly StreamMessage[];
  readonly ids: readonly string[];
  /** The first message that is as wanted, of those that came or will come. */
  until<Found extends StreamMessage>(isWanted: (message: StreamMessage) => message is Found): Promise<Found>;
  until(isWanted: (message: StreamMessage) => boolean): Promise<StreamMessage>;
  /** Settles when the server has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
};

export type WebWorld = AsyncDisposable & {
  readonly server: TestServer;
  readonly dashboard: OpenDashboard;
  /** What the controllers of this process keep for readers. */
  readonly logs: ControlLogs;
  /** Watches of the dashboard that are open at the API server now, by resource. */
  readonly watches: ReadonlyMap<string, number>;
  readonly audits: readonly Readonly<Record<string, string>>[];
  readonly links: readonly string[];
  readonly problems: readonly unknown[];
  request(method: string, path: string, init?: RequestInit): Promise<WebReply>;
  /** Signs in with the link, or with the token of a user. */
  signIn(token?: string): Promise<WebUser>;
};

type WebWorldOptions = Partial<Pick<DashboardDeps, 'signIn' | 'clock' | 'examples' | 'files'>> & {
  /** Whether releases are worked on. */
  readonly hasControllers?: boolean;
  readonly isLoopback?: boolean;
  readonly around?: (connector: ClusterConnector) => ClusterConnector;
};

/** Alice may do everything, Bob may look, and Carol may do nothing. */
const tokens = ['alice', 'bob', 'carol'].map((name) => ({
  token: `token-of-${name}`,
  name,
  uid: `uid-${name}`,
  groups: name === 'alice' ? ['system:masters'] : [],
}));

const indexPage = {
  type: 'text/html; charset=utf-8',
  text: '<!doctype html><title>x</title>',
  isHashed: false,
};
const script = { type: 'text/javascript; charset=utf-8', text: 'console.log(1)', isHashed: true };

const noFiles: DashboardDeps['files'] = {
  fileOf(path) {
    const { text, ...file } = path === '/assets/a-1.js' ? script : indexPage;
    const body = new TextEncoder().encode(text);
    return Promise.resolve(
      path.startsWith('/assets/') && path !== '/assets/a-1.js' ? undefined : { ...file, body, gzip: body },
    );
  },
};

/** A dashboard over real HTTP, of an API server in this process. */
export async function openWebWorld(options: WebWorldOptions = {}): Promise<WebWorld> {
  const {
    clock = systemClock,
    hasControllers = false,
    isLoopback = true,
    around = (connector) => connector,
  } = options;
  const outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
  const problems: unknown[] = [];
  const folder = tempDir();
  const logs = controlLogs({
    dataDir: folder.path,
    at: { host: '127.0.0.1', port: 0 },
    names: new Set(controlNames),
    namespace: 'boathook-system',
    holder: 'test',
    clock: systemClock,
    inform: () => undefined,
    report: (problem) => problems.push(problem),
  });
  const server = await startServer({
    clock,
    kinds,
    tokens,
    authorization: 'rbac',
    controllers: hasControllers ? 'all' : [],
    report: (problem) => problems.push(problem),
    ...(hasControllers && {
      nodes: { count: 3, profile: 'instant', timeScale: 1, seed: 1 },
      control: controlOn({
        names: new Set(controlNames),
        outgoing,
        hmac: hmacSha256Hex,
        calls: logs.calls,
        logs,
      }),
    }),
  });
  await server.embedded.ready;
  await letBobLook(server);
  const watches = new Map<string, number>();
  const audits: Readonly<Record<string, string>>[] = [];
  const links: string[] = [];
  const connector = around(
    embeddedCluster({
      serve: counting(server.embedded.server.serve, watches),
      logs: logs.serve,
      server: 'https://127.0.0.1:7443',
    }),
  );
  const common = { clock, random: systemRandom, report: (problem: unknown) => problems.push(problem) };
  const dashboard = await listenDashboard({
    ...common,
    host: '127.0.0.1',
    port: 0,
    isLoopback,
    onNewLink: (link) => links.push(tokenOf(link)),
    load: (at) =>
      Promise.resolve(
        new Dashboard({
          ...common,
          ...at,
          connector,
          signIn: options.signIn ?? 'link',
          files: options.files ?? noFiles,
          version: '0.0.0',
          audit: (_message, fields) => audits.push(fields),
          ...(options.examples && { examples: options.examples }),
        }),
      ),
  });
  const request = requestsTo(dashboard.url);
  return {
    server,
    dashboard,
    logs,
    watches,
    audits,
    links,
    problems,
    request,
    async signIn(token) {
      const link = tokenOf(dashboard.link());
      const reply = await request(
        'POST',
        '/api/session',
        jsonInit(token === undefined ? { link } : { token }),
      );
      if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`);
      const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      return webUser(dashboard.url, cookie, textAt(reply.body, 'csrf') ?? '');
    },
    async [Symbol.asyncDispose]() {
      await dashboard.close();
      await logs.close();
      folder[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      await outgoing.close();
    },
  };
}

const tokenOf = (link: string): string => link.split('#token=')[1] ?? '';

const jsonInit = (body: object): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

const requestsTo =
  (url: string): WebWorld['request'] =>
  async (method, path, init = {}) => {
    const reply = await fetch(`${url}${path}`, { method, redirect: 'manual', ...init });
    const text = await reply.text();
    const body = text.startsWith('{') ? (parseJson(text) as JsonObject) : {};
    return { status: reply.status, headers: reply.headers, text, body };
  };

function webUser(url: string, cookie: string, csrf: string): WebUser {
  const request = requestsTo(url);
  const send: WebUser['send'] = (method, path, body, headers = {}) =>
    request(method, path, {
      ...(body && { body: JSON.stringify(body) }),
      headers: {
        cookie,
        'x-boathook-csrf': csrf,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
  return {
    cookie,
    csrf,
    send,
    act: async (body) => (await send('POST', '/api/acts', body)).body as unknown as ActReply,
    follow: (query) => openTab(`${url}/api/stream?${query}`, cookie),
  };
}

async function openTab(url: string, cookie: string): Promise<WebTab> {
  const stop = new AbortController();
  const reply = await fetch(url, { headers: { cookie }, signal: stop.signal });
  if (reply.status !== 200 || reply.body === null) throw new Error(`${reply.status}: ${await reply.text()}`);
  const messages: StreamMessage[] = [];
  const ids: string[] = [];
  const waiting = new Set<() => void>();
  const call = (): void => {
    for (const look of waiting) look();
  };
  let isEnded = false;
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    let rest = '';
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + text).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const lines = event.split('\n');
        const data = lines.find((line) => line.startsWith('data: '));
        const id = lines.find((line) => line.startsWith('id: '));
        if (id !== undefined) ids.push(id.slice(4));
        if (data !== undefined) messages.push(parseJson(data.slice(6)) as unknown as StreamMessage);
      }
      call();
    }
  };
  const ended = read(reply.body as ReadableStream<Uint8Array>)
    .catch(() => undefined)
    .finally(() => {
      isEnded = true;
      call();
    });
  const until = (isWanted: (message: StreamMessage) => boolean): Promise<StreamMessage> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = messages.find(isWanted);
        if (found === undefined && !isEnded) return;
        waiting.delete(look);
        if (found === undefined)
          reject(new Error(`the stream ended: ${JSON.stringify(messages).slice(0, 2000)}`));
        else resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { messages, ids, until, ended, close: () => stop.abort() };
}

/** The API server, with a count of the watches that the clients of the dashboard have open at it. */
const counting =
  (serve: Serve, watches: Map<string, number>): Serve =>
  async (request) => {
    const response = await serve(request);
    const isWatch = new URLSearchParams(request.query).get('watch') !== null;
    if (!isWatch || response.status !== 200) return response;
    const resource = request.path.split('/').at(-1) ?? '';
    const add = (count: number): void => {
      const next = (watches.get(resource) ?? 0) + count;
      if (next === 0) watches.delete(resource);
      else watches.set(resource, next);
    };
    add(1);
    request.signal.addEventListener('abort', () => add(-1), { once: true });
    return response;
  };

async function letBobLook(server: TestServer): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const apiVersion = `${group}/v1`;
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];
  await server.create(`/apis/${apiVersion}/clusterroles`, {
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name: 'look' },
    rules,
  });
  await server.create(`/apis/${apiVersion}/clusterrolebindings`, {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'bob-looks' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'look' },
    subjects: [{ apiGroup: group, kind: 'User', name: 'bob' }],
  });
}
