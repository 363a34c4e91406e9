import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { openCluster } from '#cli/sim.ts';
import { clusters } from '#control/machine-objects/resources.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { startBoathook } from '../../tests/support/boathook.ts';
import { followProgram } from '../../tests/support/program.ts';
import { root } from '../../tests/support/project-files.ts';
import { openFleet, type Fleet } from '../machines/fleet.ts';

const never = new AbortController().signal;

type Effort = { readonly clusters: number; readonly machines: number; readonly hosts: number };
const full: Effort = { clusters: 50, machines: 20, hosts: 200 };
const quick: Effort = { clusters: 3, machines: 4, hosts: 6 };

/** `npm run bench -- machine-objects [--quick]`: many Clusters at once, for one controller. */
export async function runMachineObjects(args: readonly string[]): Promise<void> {
  const effort = args.includes('--quick') ? quick : full;
  await using fleet = await openFleet(effort.hosts);
  const folder = fleet.dataDir();
  const [files, notes] = [join(folder, 'files'), join(folder, 'notes')];
  mkdirSync(files);
  writeFileSync(notes, '');
  const hook = `#!/bin/sh\necho "$BOATHOOK_CLUSTER $BOATHOOK_NODE $BOATHOOK_HOOK" >>${notes}\n`;
  writeFileSync(join(files, 'hook'), hook, { mode: 0o755 });
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const flags = ['--files-root', files, '--data-dir', join(folder, 'controller'), '--no-leader-election'];
  const controller = followProgram(join(root, 'boathook'), [
    'controller',
    '--kubeconfig',
    server.kubeconfig,
    ...flags,
  ]);
  try {
    await controller.lineLike(/^running /);
    const cluster = openCluster({ kubeconfig: server.kubeconfig }, 'bench');
    const began = performance.now();
    await Promise.all(
      Array.from({ length: effort.clusters }, (_, at) =>
        cluster.client.create(clusters, clusterOf(fleet, effort, at), never),
      ),
    );
    const ends = await ending(cluster.client, effort.clusters, began);
    const peak = peakMegabytes(controller.pid);
    const calm = await writesAtRest(cluster.client);
    await cluster.close();
    report(effort, { ends, peak, calm, notes: readFileSync(notes, 'utf8').trim().split('\n') });
  } finally {
    await controller.stop('SIGKILL');
  }
}

function clusterOf({ nodes, key }: Fleet, { machines }: Effort, at: number): JsonObject {
  const privateKey = Buffer.from(readFileSync(key)).toString('base64');
  const mine = Array.from({ length: machines }, (_, index) => nodes[(at * 7 + index) % nodes.length]);
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
        files: [{ src: 'hook', dst: `/var/lib/boathook/hooks/cls-${at + 1}` }],
        hooks: {
          PreInstall: `/var/lib/boathook/hooks/cls-${at + 1}`,
          PostClusterInstall: `/var/lib/boathook/hooks/cls-${at + 1}`,
        },
      },
    },
  };
}

/** When each Cluster was ready, in seconds. */
async function ending(
  client: KubeClient,
  count: number,
  began: number,
): Promise<ReadonlyMap<string, number>> {
  const ends = new Map<string, number>();
  while (ends.size < count) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const listed = await client.list(clusters, {}, never);
    if (listed.type !== 'ok') throw new Error(listed.message);
    process.stderr.write(`\rbench: ${ends.size} of ${count} are ready`);
    for (const each of listed.items)
      if (isReady(each) && !ends.has(nameOf(each)))
        ends.set(nameOf(each), (performance.now() - began) / 1000);
  }
  return ends;
}

const isReady = (object: KubeObject): boolean =>
  listAt(object, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  );

/** Writes to Clusters in two seconds in which nobody wants anything. */
async function writesAtRest(client: KubeClient): Promise<number> {
  const versions = async (): Promise<string> => {
    const listed = await client.list(clusters, {}, never);
    return listed.type === 'ok'
      ? listed.items.map((each) => textAt(each, 'metadata', 'resourceVersion')).join()
      : '';
  };
  const before = await versions();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  return before === (await versions()) ? 0 : 1;
}

const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

type Found = {
  readonly ends: ReadonlyMap<string, number>;
  readonly peak: number;
  readonly calm: number;
  readonly notes: readonly string[];
};

function report({ clusters: count, machines }: Effort, { ends, peak, calm, notes }: Found): void {
  const expected = count * (machines + 1);
  const times = [...ends.values()].toSorted((a, b) => a - b);
  const lines = [
    `cores ${availableParallelism()}, load ${(loadavg()[0] ?? 0).toFixed(1)}`,
    `${count} Clusters of ${machines} machines: first ready after ${(times[0] ?? 0).toFixed(1)} s, last after ${(times.at(-1) ?? 0).toFixed(1)} s`,
    `hooks ${notes.length} of ${expected}, different ones ${new Set(notes).size}`,
    `controller memory at most ${peak.toFixed(0)} MB (target: below 400)`,
    `writes at rest ${calm}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (notes.length !== expected || new Set(notes).size !== expected || peak >= 400 || calm > 0)
    process.exitCode = 1;
}
