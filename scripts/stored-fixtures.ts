/**
 * `npm run fixtures`: the objects that this version leaves in a cluster, for the tests of later versions. It runs
 * `boathook up` with simulated nodes and machines, brings objects of all our kinds into many states, and writes them to
 * `tests/fixtures/stored/VERSION`. Run it once for each release.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { textAt, type JsonObject } from '#base/json.ts';
import { kinds } from '#cli/kinds.ts';
import { openCluster, type OpenCluster } from '#command/open-cluster.ts';
import { resourceOf } from '#hooks/kinds/resources.ts';
import type { KubeObject } from '#kube/object.ts';
import { metaOf, nameOf } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { crdName } from '#schema/kind/crd.ts';
import { startFixtureHooks } from './fixtures/fixture-hooks.ts';
import {
  definition,
  hookRuns,
  hookTemplates,
  instance,
  profile,
  registration,
  workloads,
} from './fixtures/fixture-objects.ts';
import { compactDefinition, storedForm } from './fixtures/stored-form.ts';
import { root } from './run-tool.ts';

const namespace = 'stored';
const builtin = (group: string, plural: string, namespaced = true): Resource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
});
const definitions = builtin('apiextensions.k8s.io', 'customresourcedefinitions', false);
const webApps = builtin('example.boathook.dev', 'webapps');
const others: readonly Resource[] = [
  builtin('', 'pods'),
  builtin('', 'services'),
  builtin('', 'serviceaccounts'),
  builtin('apps', 'controllerrevisions'),
  builtin('apps', 'deployments'),
  builtin('apps', 'replicasets'),
  webApps,
];
const never = new AbortController().signal;
const longest = 60_000;

async function main(args: readonly string[]): Promise<number> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'tests/fixtures/stored', version);
  if (existsSync(folder) && !args.includes('--force')) {
    console.error(`${folder} exists: stored objects of a release are not changed; --force replaces them`);
    return 2;
  }
  const place = mkdtempSync(join(tmpdir(), 'boathook-fixtures-'));
  const hooks = await startFixtureHooks();
  const server = startServer(place);
  try {
    await server.ready;
    const cluster = openCluster({ kubeconfig: join(place, 'data/kubeconfig') }, 'boathook-fixtures');
    await makeAll(cluster, place, hooks.url);
    mkdirSync(folder, { recursive: true });
    const objects = await allObjects(cluster);
    writeFileSync(join(folder, 'objects.jsonl'), linesOf(objects.map(storedForm)));
    const served = await itemsOf(cluster, definitions);
    const ours = new Set(kinds.map((kind) => crdName(kind)));
    const own = served.filter((each) => ours.has(nameOf(each)));
    writeFileSync(join(folder, 'definitions.jsonl'), linesOf(own.map(compactDefinition)));
    console.log(`${objects.length} objects and ${own.length} definitions of ${version}`);
    await cluster.close();
    return 0;
  } finally {
    await server.stop();
    hooks.close();
    rmSync(place, { recursive: true });
  }
}

const linesOf = (objects: readonly JsonObject[]): string =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join('');

function startServer(place: string): { readonly ready: Promise<void>; stop(): Promise<void> } {
  const files = join(place, 'files');
  mkdirSync(files);
  const where = ['--data-dir', join(place, 'data'), '--port', '0', '--no-dashboard', '--files-root', files];
  const child = spawn(join(root, 'boathook'), ['up', ...where, '--machines', '2'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.startsWith('ready in') && resolve());
    child.on('exit', (code) => reject(new Error(`boathook up ended with ${code}`)));
  });
  return {
    ready,
    async stop() {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    },
  };
}

async function makeAll(cluster: OpenCluster, place: string, url: string): Promise<void> {
  await make(cluster, builtin('', 'namespaces', false), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  for (const template of hookTemplates(url)) await make(cluster, ownResource('HookTemplate'), template);
  await make(cluster, ownResource('SimulationProfile'), profile);
  await Promise.all([
    makeMachines(cluster, place),
    makeRegistration(cluster),
    ...hookRuns(url).map(async ({ phase, object }) => {
      const made = await make(cluster, ownResource('HookRun'), object);
      await until(cluster, ownResource('HookRun'), made, (run) => textAt(run, 'status', 'phase') === phase);
    }),
    ...workloads.map(async ({ object, change, stopsAt }) => {
      const resource = ownResource(textAt(object, 'kind') ?? '');
      const made = await make(cluster, resource, object);
      await until(cluster, resource, made, (each) => textAt(each, 'status', 'phase') === 'Complete');
      await cluster.client.patch(resource, keyOf(made), { type: 'merge', body: change }, never);
      await until(
        cluster,
        resource,
        made,
        (each) =>
          textAt(each, 'status', 'phase') === stopsAt.phase &&
          textAt(each, 'status', 'reason') === stopsAt.reason,
      );
    }),
  ]);
}

async function makeRegistration(cluster: OpenCluster): Promise<void> {
  await make(cluster, definitions, definition);
  await make(cluster, ownResource('CRDRegistration'), registration);
  await delay(1000);
  const made = await make(cluster, webApps, instance);
  await until(cluster, webApps, made, isReady);
}

/** A Cluster and a Machine on simulated machines, with scripts at two points. */
async function makeMachines(cluster: OpenCluster, place: string): Promise<void> {
  const hooks = join(place, 'files/hooks');
  mkdirSync(hooks);
  for (const name of ['pre', 'post'])
    writeFileSync(join(hooks, name), '#!/bin/sh\necho done\n', { mode: 0o755 });
  const text = readFileSync(join(place, 'data/simulated-machines/cluster.yaml'), 'utf8');
  const features = {
    files: [{ src: 'hooks', dst: '/opt/stored' }],
    hooks: { PreInstall: '/opt/stored/pre', PostInstall: '/opt/stored/post' },
  };
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as { kind: string; spec: JsonObject } & JsonObject;
    const isCluster = object.kind === 'Cluster';
    const spec = isCluster ? { ...object.spec, features } : object.spec;
    const made = await make(cluster, ownResource(object.kind), { ...object, spec });
    await until(cluster, ownResource(object.kind), made, isReady);
  }
}

const isReady = (object: KubeObject): boolean =>
  ((object['status'] as JsonObject | undefined)?.['conditions'] as readonly JsonObject[] | undefined)?.some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  ) === true;

function ownResource(kind: string): Resource {
  const own = kinds.find((each) => each.kind === kind);
  if (own === undefined) throw new Error(`there is no kind ${kind}`);
  return resourceOf(own);
}

const keyOf = (object: KubeObject): { namespace: string; name: string } => ({
  namespace: textAt(metaOf(object), 'namespace') ?? '',
  name: nameOf(object),
});

async function make({ client }: OpenCluster, resource: Resource, object: JsonObject): Promise<KubeObject> {
  const outcome = await client.create(resource, object, never);
  if (outcome.type !== 'ok') throw new Error(`${nameOf(object)}: ${outcome.message}`);
  return outcome.object;
}

async function until(
  { client }: OpenCluster,
  resource: Resource,
  object: KubeObject,
  isWanted: (object: KubeObject) => boolean,
): Promise<void> {
  const end = performance.now() + longest;
  for (;;) {
    const found = await client.get(resource, keyOf(object), never);
    if (found.type === 'ok' && isWanted(found.object)) return;
    if (performance.now() > end)
      throw new Error(`${resource.plural} ${nameOf(object)} never came to be: ${JSON.stringify(found)}`);
    await delay(100);
  }
}

async function itemsOf({ client }: OpenCluster, resource: Resource): Promise<readonly KubeObject[]> {
  const listed = await client.list(resource, {}, never);
  if (listed.type !== 'ok') throw new Error(`${resource.plural}: ${listed.message}`);
  return listed.items;
}

/** Objects of our kinds, and those in the namespace that belong to them. */
async function allObjects(cluster: OpenCluster): Promise<readonly KubeObject[]> {
  const own = await Promise.all(kinds.map((kind) => itemsOf(cluster, resourceOf(kind))));
  const rest = await Promise.all(others.map((resource) => itemsOf(cluster, resource)));
  const inside = rest.flat().filter((object) => textAt(metaOf(object), 'namespace') === namespace);
  const registered = (await itemsOf(cluster, definitions)).filter(
    (each) => nameOf(each) === nameOf(definition),
  );
  return [...registered, ...own.flat(), ...inside];
}

process.exitCode = await main(process.argv.slice(2));
