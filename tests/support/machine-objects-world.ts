import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { findKubectls } from './kubectl.ts';
import { openMachineNetwork, type NetworkHost } from './machine-network.ts';
import { followProgram, runProgram, type Ended, type Following } from './program.ts';
import { root } from './project-files.ts';
import type { TestHost, TestHosts } from './sshd.ts';
import { eventFlags, watchedEvents } from './watched-events.ts';

/** A control plane among machines with the addresses of the examples, in a network of their own. */
export type ObjectsWorld = {
  /** `--files-root`. */
  readonly root: string;
  readonly dataDir: string;
  /** Where scripts note that they ran; all machines see it. */
  readonly notes: string;
  readonly hosts: ReadonlyMap<string, TestHost>;
  readonly own: TestHosts;
  kubectl(args: readonly string[], stdin?: string): Promise<Ended>;
  boathook(...args: readonly string[]): Promise<Ended>;
  follow(...args: readonly string[]): Following;
  /** A script of bash in the root and in that network, with boathook and kubectl on its path. */
  shell(script: string): Promise<Ended>;
  apply(...objects: readonly JsonObject[]): Promise<void>;
  get(kind: string, name: string): Promise<JsonObject | undefined>;
  /** Watches one object until it is as wanted. */
  until(kind: string, name: string, fits: (object: JsonObject) => boolean): Promise<JsonObject>;
  gone(kind: string, name: string): Promise<void>;
  /** Settles when there is an event for each pattern: they are sent after the status is written. */
  told(...patterns: readonly RegExp[]): Promise<void>;
  /** A file below the root, executable. */
  script(path: string, text: string): void;
  /** A script that notes its name, node and arguments. */
  noting(path: string, more?: string): void;
  noted(): readonly string[];
  /** Waits until so many notes fit. */
  untilNoted(pattern: RegExp, count: number): Promise<void>;
  /** Ends the control plane, at once unless another signal is given. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type WorldOptions = {
  readonly example?: string;
  readonly flags?: readonly string[];
  /** The test itself starts the control plane. */
  readonly isDown?: boolean;
};

const launcher = join(root, 'boathook');

export async function openObjectsWorld(
  wanted: readonly NetworkHost[],
  options: WorldOptions = {},
): Promise<ObjectsWorld> {
  // What was opened goes when a later part cannot be.
  await using opened = new AsyncDisposableStack();
  const network = opened.use(await openMachineNetwork(wanted, ['/tmp', '/opt/hooks']));
  const { hosts, own, inside } = network;
  const filesRoot = join(own.folder, 'files');
  if (options.example === undefined) mkdirSync(filesRoot);
  else cpSync(join(root, 'examples', 'machines', options.example), filesRoot, { recursive: true });
  const home = join(own.folder, 'home');
  mkdirSync(home);
  const dataDir = join(own.folder, 'data');
  const notes = join(own.folder, 'notes');
  writeFileSync(notes, '');
  const setting = { cwd: filesRoot, env: { HOME: home, KUBECONFIG: join(dataDir, 'kubeconfig') } };
  const plane = opened.use(new AsyncDisposableStack());
  const begin = async (): Promise<Following> => {
    const flags = ['--files-root', filesRoot, '--nodes', '0', ...(options.flags ?? [])];
    const up = followProgram(
      'ip',
      inside([launcher, 'up', '--data-dir', dataDir, '--port', '0', '--no-dashboard', ...flags]),
      setting,
    );
    plane.use(up);
    await up.lineLike(/^ready in /);
    return up;
  };
  const kubectl = (await findKubectls()).at(-1)?.file ?? 'kubectl';
  let up = options.isDown === true ? undefined : await begin();
  const world: ObjectsWorld = {
    root: filesRoot,
    dataDir,
    notes,
    hosts,
    own,
    kubectl: (args, stdin) =>
      runProgram('ip', inside([kubectl, ...args]), { ...setting, ...(stdin !== undefined && { stdin }) }),
    boathook: (...args) => runProgram('ip', inside([launcher, ...args]), setting),
    shell: (script) =>
      runProgram('ip', inside(['bash', '-c', script]), {
        ...setting,
        env: { ...setting.env, PATH: `${root}:${dirname(kubectl)}:${process.env['PATH'] ?? ''}` },
      }),
    follow: (...args) => followProgram('ip', inside([launcher, ...args]), setting),
    async apply(...objects) {
      const text = objects.map((object) => JSON.stringify(object)).join('\n');
      const { code, error } = await world.kubectl(['apply', '-f', '-'], text);
      if (code !== 0) throw new Error(error);
    },
    async get(kind, name) {
      const { code, out } = await world.kubectl(['get', kind, name, '-o', 'json']);
      return code === 0 ? (JSON.parse(out) as JsonObject) : undefined;
    },
    async until(kind, name, fits) {
      // As a list: of a single object kubectl drops the first event, and what happened since it read the object.
      const chosen = ['--field-selector', `metadata.name=${name}`];
      const args = ['get', kind, ...chosen, ...eventFlags];
      await using watching = followProgram('ip', inside([kubectl, ...args]), setting);
      for await (const { object } of watchedEvents(watching)) if (fits(object)) return object;
      throw new Error('a watch does not end');
    },
    async told(...patterns) {
      const args = ['get', 'events', '--all-namespaces', '--watch'];
      await using watching = followProgram('ip', inside([kubectl, ...args]), setting);
      for (const missing = new Set(patterns); missing.size > 0;) {
        const line = await watching.line();
        for (const pattern of missing) if (pattern.test(line)) missing.delete(pattern);
      }
    },
    async gone(kind, name) {
      const { code, error } = await world.kubectl([
        'wait',
        '--for=delete',
        `${kind}/${name}`,
        '--timeout=300s',
      ]);
      if (code !== 0) throw new Error(error);
    },
    script(path, text) {
      const file = join(filesRoot, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      chmodSync(file, 0o755);
    },
    noting(path, more = '') {
      const name = path.split('/').at(-1) ?? '';
      world.script(path, `#!/bin/bash\necho "$BOATHOOK_NODE ${name} $*" >> ${notes}\n${more}`);
    },
    noted: () =>
      existsSync(notes)
        ? readFileSync(notes, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => line.trimEnd())
        : [],
    async untilNoted(pattern, count) {
      const following = followProgram('tail', ['-n', '+1', '-f', notes]);
      try {
        for (let seen = 0; seen < count; seen += 1) await following.lineLike(pattern);
      } finally {
        await following.stop('SIGKILL');
      }
    },
    async kill(signal = 'SIGKILL') {
      await up?.stop(signal);
    },
    async restart() {
      up = await begin();
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
  const whole = opened.move();
  // A test that runs out of time never comes to the end of its block.
  onTestFinished(() => whole.disposeAsync());
  return world;
}

export const conditionOf = (object: Json | undefined, type: string): Json | undefined =>
  listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === type);

export const isTrue = (object: Json | undefined, type: string): boolean =>
  textAt(conditionOf(object, type), 'status') === 'True';

export const isFalse = (object: Json | undefined, type: string): boolean =>
  textAt(conditionOf(object, type), 'status') === 'False';

/** A Cluster of these machines, with hooks only. */
export const clusterOf = (
  name: string,
  addresses: readonly string[],
  features: JsonObject,
  more: JsonObject = {},
): JsonObject => ({
  apiVersion: 'platform.tkestack.io/v1',
  kind: 'Cluster',
  metadata: { name },
  spec: {
    type: 'Baremetal',
    version: '1.30.1',
    installer: 'none',
    machines: addresses.map((address) => ({ ip: address, username: 'root', password: btoa('secret-1') })),
    features,
    ...more,
  },
});

export const machineOf = (name: string, cluster: string, address: string): JsonObject => ({
  apiVersion: 'platform.tkestack.io/v1',
  kind: 'Machine',
  metadata: { name },
  spec: {
    clusterName: cluster,
    type: 'Baremetal',
    ip: address,
    username: 'root',
    password: btoa('secret-1'),
  },
});

/** Scripts of these types that note that they ran, and the part of a Cluster that delivers and names them. */
export function notingHooks(world: ObjectsWorld, ...types: readonly string[]): JsonObject {
  for (const type of types) world.noting(`hooks/${type}`);
  return {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: Object.fromEntries(types.map((type) => [type, `/tmp/hooks/${type}`])),
  };
}

export const untilReady = (world: ObjectsWorld, kind: string, name: string): Promise<JsonObject> =>
  world.until(kind, name, (object) => isTrue(object, 'Ready'));

/** `kubectl patch` of `KIND/NAME`; throws when it is refused. */
export async function mergePatch(world: ObjectsWorld, what: string, body: JsonObject): Promise<void> {
  const { code, error } = await world.kubectl(['patch', what, '--type=merge', '-p', JSON.stringify(body)]);
  if (code !== 0 || error !== '') throw new Error(error);
}
