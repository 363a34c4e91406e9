import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { openCluster } from '#command/open-cluster.ts';
import { clusters } from '#machines/kinds/resources.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { startBoathook, type Boathook } from '../../tests/support/boathook.ts';
import { followProgram, type Following } from '../../tests/support/program.ts';
import { root } from '../../tests/support/project-files.ts';
import { openFleet, type Fleet } from '../machines/fleet.ts';
import { connectionsTo } from './contacts.ts';
import type { MachineObjectsEffort, MachineObjectsMeasurement } from './figures.ts';

const never = new AbortController().signal;
const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** Many Clusters at once for one controller; then another one that finds everything done. */
export async function atOnce(effort: MachineObjectsEffort): Promise<readonly MachineObjectsMeasurement[]> {
  await using fleet = await openFleet(effort.hosts);
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const notes = writeHook(fleet);
  const cluster = openCluster({ kubeconfig: server.kubeconfig }, 'bench');
  try {
    const first = await startController(server, fleet);
    const began = performance.now();
    await Promise.all(
      Array.from({ length: effort.clusters }, (_, at) =>
        cluster.client.create(clusters, clusterOf(fleet, effort, at), never),
      ),
    );
    const ends = await ending(cluster.client, effort.clusters, began);
    const peak = peakMegabytes(first.pid);
    await first.stop('SIGKILL');
    const rest = await restOf(cluster.client, { server, fleet, effort });
    return [
      ...judged(effort, ends, readFileSync(notes, 'utf8')),
      { id: 'memory', value: peak, details: {} },
      ...rest,
    ];
  } finally {
    await cluster.close();
  }
}

/** A script that notes where it ran; gives the file of the notes. */
function writeHook(fleet: Fleet): string {
  const folder = fleet.dataDir();
  const notes = join(folder, 'notes');
  mkdirSync(filesOf(fleet), { recursive: true });
  writeFileSync(notes, '');
  const hook = `#!/bin/sh\necho "$BOATHOOK_CLUSTER $BOATHOOK_NODE $BOATHOOK_HOOK" >>${notes}\n`;
  writeFileSync(join(filesOf(fleet), 'hook'), hook, { mode: 0o755 });
  return notes;
}

const filesOf = ({ key }: Fleet): string => `${key}-files`;

async function startController(server: Boathook, fleet: Fleet): Promise<Following> {
  const flags = ['--files-root', filesOf(fleet), '--data-dir', fleet.dataDir(), '--no-leader-election'];
  const controller = followProgram(join(root, 'boathook'), [
    'controller',
    '--kubeconfig',
    server.kubeconfig,
    ...flags,
  ]);
  await controller.lineLike(/^running /);
  return controller;
}

function clusterOf({ nodes, key }: Fleet, { machines }: MachineObjectsEffort, at: number): JsonObject {
  const privateKey = Buffer.from(readFileSync(key)).toString('base64');
  const mine = Array.from({ length: machines }, (_, index) => nodes[at * machines + index]);
  const script = `/var/lib/boathook/hooks/cls-${at + 1}`;
  return {
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Cluster',
    metadata: { name: `cls-${at + 1}` },
    spec: {
      type: 'Baremetal',
      version: '1.30.1',
      installer: 'none',
      machines: mine.map((node) => ({ ip: node?.address ?? '', port: node?.port ?? 22, privateKey })),
      features: {
        files: [{ src: 'hook', dst: script }],
        hooks: { PreInstall: script, PostClusterInstall: script },
      },
    },
  };
}

/** When each Cluster was ready, in seconds. */
async function ending(client: KubeClient, count: number, began: number): Promise<readonly number[]> {
  const ends = new Map<string, number>();
  while (ends.size < count) {
    await pause(200);
    const listed = await client.list(clusters, {}, never);
    if (listed.type !== 'ok') throw new Error(listed.message);
    process.stderr.write(`\rbench: ${ends.size} of ${count} are ready`);
    for (const each of listed.items)
      if (isReady(each) && !ends.has(nameOf(each)))
        ends.set(nameOf(each), (performance.now() - began) / 1000);
  }
  process.stderr.write('\n');
  return [...ends.values()].toSorted((a, b) => a - b);
}

const isReady = (object: KubeObject): boolean =>
  listAt(object, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  );

type Rest = { readonly server: Boathook; readonly fleet: Fleet; readonly effort: MachineObjectsEffort };

/** Another controller looks at everything again, and nobody wants anything. */
async function restOf(
  client: KubeClient,
  { server, fleet, effort }: Rest,
): Promise<readonly MachineObjectsMeasurement[]> {
  const ports = new Set(fleet.servers.map(({ port }) => port));
  const versions = async (): Promise<readonly string[]> => {
    const listed = await client.list(clusters, {}, never);
    if (listed.type !== 'ok') throw new Error(listed.message);
    return listed.items.map((each) => textAt(each, 'metadata', 'resourceVersion') ?? '');
  };
  const [known, before] = [connectionsTo(ports), new Set(await versions())];
  const second = await startController(server, fleet);
  await pause(effort.restMillis);
  const contacts = [...connectionsTo(ports)].filter((each) => !known.has(each)).length;
  const writes = (await versions()).filter((each) => !before.has(each)).length;
  await second.stop('SIGKILL');
  return [
    { id: 'rest-contacts', value: contacts, details: {} },
    { id: 'rest-writes', value: writes, details: {} },
  ];
}

function judged(
  { clusters: count, machines }: MachineObjectsEffort,
  ends: readonly number[],
  notes: string,
): readonly MachineObjectsMeasurement[] {
  const ran = notes.trim().split('\n');
  const expected = count * (machines + 1);
  const different = new Set(ran).size;
  const last = ends.at(-1) ?? 0;
  const average = ends.reduce((sum, each) => sum + each, 0) / ends.length;
  return [
    {
      id: 'astray',
      value: ran.length - different + Math.abs(expected - different),
      details: { expected, ran: ran.length, different },
    },
    {
      id: 'starved',
      value: last / average,
      details: { firstSeconds: ends[0] ?? 0, averageSeconds: average, lastSeconds: last },
    },
  ];
}

const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
