import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { at, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { mustBe, openCluster, type OpenCluster } from '#command/open-cluster.ts';
import type { Resource } from '#kube/resource.ts';
import { parseYaml } from '#edge/yaml.ts';
import type { KubeObject } from '#kube/object.ts';
import { root } from './run-tool.ts';

const resourceOf = (plural: string): Resource => ({
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  plural,
  namespaced: true,
});
const gameDeployments = resourceOf('gamedeployments');
const key = { namespace: 'default', name: 'test-gamedeployment' };
const patience = 25_000;
const widest = 90;

/** `npm run demo`: a release in steps that a hook stops, on a cluster that lives as long as the demo. */
async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'boathook-demo-'));
  const stop = AbortSignal.timeout(patience);
  const children: ChildProcess[] = [];
  try {
    say('A control plane of its own, with three simulated nodes, and a service that a hook asks:');
    const service = start(children, process.execPath, ['examples/canary/server.ts', '0']);
    const up = [
      'up',
      '--ephemeral',
      '--data-dir',
      folder,
      '--port',
      '0',
      '--profile',
      'instant',
      '--log-level',
      'warn',
    ];
    const server = start(children, join(root, 'boathook'), up);
    const [url, ready] = await Promise.all([lineLike(service, /http:\S+/), lineLike(server, /^ready in.*/)]);
    say(`  ${ready}; ${url} answers {"name":"bryan","male":"yes","age":45}`);
    const cluster = openCluster({ kubeconfig: join(folder, 'kubeconfig') }, 'boathook-demo');
    try {
      await tell(new Story(cluster, url, stop));
    } finally {
      await cluster.close();
    }
    return 0;
  } catch (error) {
    say(`The demo did not come to its end: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    await Promise.all(children.map(end));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tell(story: Story): Promise<void> {
  say(
    '\nFour pods, and five steps: one pod, manual approval, two pods, 3 seconds, a hook. The first template takes none.',
  );
  await story.create('hooktemplates', 'hooktemplate.yaml');
  await story.create('gamedeployments', 'gamedeployment.yaml');
  await story.until(({ phase, ready }) => phase === 'Complete' && ready === 4);

  say('\nA new image. It goes to one pod, in place, and waits for manual approval:');
  await story.patch('/spec/template/spec/containers/0/image', 'python:3.5');
  await story.until(({ reason }) => reason === 'PausedByCanaryPauseStep');

  say('\nThe user approves. A second pod, 3 seconds, and then the hook: it passes for an age below 30.');
  await story.patch('/spec/updateStrategy/paused', false);
  const stopped = await story.until(({ reason }) => reason === 'PausedByStepBasedHook');
  say(`\nThe release has stopped. Its message:\n  ${textAt(stopped, 'status', 'message') ?? ''}`);

  say('\nThe user sets the old image again. A rollback has no steps:');
  await story.patch('/spec/template/spec/containers/0/image', 'python:latest');
  await story.until(({ phase, updatedReady }) => phase === 'Complete' && updatedReady === 4);
  say('\nThat was all. The guide walks through it with kubectl: docs/guide/canary.md');
}

type View = {
  readonly phase: string;
  readonly reason: string;
  readonly ready: number;
  readonly updatedReady: number;
};

/** What happens to one release, told line by line. */
class Story {
  readonly #cluster: OpenCluster;
  readonly #url: string;
  readonly #stop: AbortSignal;
  #last = '';

  constructor(cluster: OpenCluster, url: string, stop: AbortSignal) {
    this.#cluster = cluster;
    this.#url = url;
    this.#stop = stop;
  }

  async create(plural: string, file: string): Promise<void> {
    say(`  kubectl apply -f examples/canary/${file}`);
    const text = readFileSync(join(root, 'examples/canary', file), 'utf8')
      .replace('http://127.0.0.1:9091', this.#url)
      .replace('duration: 60', 'duration: 3')
      .replace('gracePeriodSeconds: 30', 'gracePeriodSeconds: 1');
    const object = parseYaml(text)[0] as JsonObject;
    const metadata = { ...(object['metadata'] as JsonObject), namespace: key.namespace };
    mustBe(await this.#cluster.client.create(resourceOf(plural), { ...object, metadata }, this.#stop), file);
  }

  async patch(path: string, value: Json): Promise<void> {
    const body = [{ op: 'replace', path, value }];
    say(`  kubectl patch gamedeployment ${key.name} --type=json -p='${JSON.stringify(body)}'`);
    const patch = { type: 'json', body } as const;
    mustBe(await this.#cluster.client.patch(gameDeployments, key, patch, this.#stop), key.name);
  }

  /** Tells every change until one is as wanted. */
  async until(isWanted: (view: View) => boolean): Promise<KubeObject> {
    for (;;) {
      const seen = mustBe(await this.#cluster.client.get(gameDeployments, key, this.#stop), key.name);
      this.#tell(seen);
      const isCurrent =
        numberAt(seen, 'status', 'observedGeneration') === numberAt(seen, 'metadata', 'generation');
      if (isCurrent && isWanted(viewOf(seen))) return seen;
      await delay(50, undefined, { signal: this.#stop });
    }
  }

  #tell(seen: KubeObject): void {
    const count = (name: string): string =>
      String(numberAt(seen, 'status', name) ?? 0).padEnd(name.length - 4);
    const counts = `${count('updatedReplicas')}${count('readyReplicas')}`;
    const step = (textAt(seen, 'status', 'step') ?? '').padEnd(6);
    const message = textAt(seen, 'status', 'message') ?? '';
    const line = `  ${counts}${step}${message.length > widest ? `${message.slice(0, widest)}…` : message}`;
    if (textAt(seen, 'status', 'phase') === undefined || line === this.#last) return;
    if (this.#last === '') say(`\n  UPDATED    READY    STEP  MESSAGE`);
    say(line);
    this.#last = line;
  }
}

const viewOf = (seen: KubeObject): View => ({
  phase: textAt(seen, 'status', 'phase') ?? '',
  reason: textAt((at(seen, 'status', 'pauseConditions') as readonly Json[] | undefined)?.[0], 'reason') ?? '',
  ready: numberAt(seen, 'status', 'readyReplicas') ?? 0,
  updatedReady: numberAt(seen, 'status', 'updatedReadyReplicas') ?? 0,
});

function start(children: ChildProcess[], program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function lineLike(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('a program without output');
  for await (const line of createInterface(child.stdout)) {
    const found = pattern.exec(line);
    if (found !== null) {
      child.stdout.resume();
      return found[0];
    }
  }
  throw new Error(`${child.spawnargs.join(' ')} ended early`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const say = (text: string): void => console.log(text);

process.exitCode = await main();
