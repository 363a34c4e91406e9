import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import type { MachinePlan, PlanStep } from '#machines/decide/plan.ts';
import { openHosts, type TestHost, type TestHosts } from '../support/sshd.ts';
import { operate } from '../support/sshd/operator.ts';
import { hook, nodesOfHosts, planOf } from '../support/sshd/plans.ts';

let hosts: TestHosts;
let host: TestHost;
let nodes: readonly ClusterNode[];
let operations = 0;

beforeAll(async () => {
  hosts = openHosts();
  host = await hosts.add({ folders: ['/srv'] });
  nodes = nodesOfHosts([host], hosts.key);
});
afterAll(() => hosts[Symbol.asyncDispose]());

async function noticesOf(plan: MachinePlan, purge: boolean): Promise<readonly string[]> {
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const events: ProgressEvent[] = [];
  const work = { id: `remains-${++operations}`, plan, nodes, dataDir, insecure: true, purge };
  const end = await operate(work, { emit: (event) => events.push(event) });
  expect(end).toMatchObject({ type: 'ended', verdict: { state: 'Succeeded' } });
  return events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));
}

const removal = (): MachinePlan => {
  const { targets, policy } = hook('', ['node-1']);
  const paths = ['/srv/hooks/pre', '/srv/hooks'];
  const remove: PlanStep = { kind: 'remove', id: 'remove', title: 'remove scripts', paths, targets, policy };
  return planOf([[remove]], { operation: 'cluster.delete' });
};

test('a removal lists by path what stays on a machine, and --purge removes what is our own', async () => {
  // A failed operation leaves its folder for those who look into it.
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const failing = planOf([[hook('#!/bin/sh\nexit 1\n', ['node-1'])]]);
  await operate({ id: 'failed', plan: failing, nodes, dataDir, insecure: true });
  host.run('mkdir', '-p', '/srv/hooks');
  writeFileSync(host.path('/srv/hooks/pre'), '');
  writeFileSync(host.path('/srv/hooks/of-somebody-else'), '');
  const own = ['/var/lib/boathook/cls-test/node-1', '/run/boathook'];
  const [listed = ''] = await noticesOf(removal(), false);
  expect(listed).toBe(
    `These files remain on this machine: ${[...own, '/srv/hooks'].join(', ')}. --purge removes the files of Boathook.`,
  );
  expect(host.test('[ -e /srv/hooks/of-somebody-else ]')).toBe(true);
  const [purged] = await noticesOf(removal(), true);
  // The mount points of a test's machine cannot go.
  expect(purged).toMatch(
    /^These files remain on this machine: \/run\/boathook, \/srv\/hooks\. They are in use, or contain files/,
  );
  expect(host.run('find', '/var/lib/boathook', '/run/boathook', '-mindepth', '1')).toBe('');
});

test('files of another operation on the machine are not purged', async () => {
  const claim = '/run/boathook/claim.1-1';
  host.run(
    'sh',
    '-c',
    `read -r a b c d e f g h i j k l m n o p q r s t u start v </proc/1/stat; echo 1 $start $(cat /proc/sys/kernel/random/boot_id) cls-test remains-x here 1 now test >${claim}`,
  );
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const end = await operate({ id: 'other', plan: removal(), nodes, dataDir, insecure: true, purge: true });
  expect(end.type).toBe('locked');
  expect(host.test(`[ -e ${claim} ]`)).toBe(true);
});

test('operations that remove nothing report nothing about it', async () => {
  host.run('rm', '-f', '/run/boathook/claim.1-1');
  expect(await noticesOf(planOf([[hook('#!/bin/sh\n', ['node-1'])]]), true)).not.toContainEqual(
    expect.stringContaining('this machine'),
  );
});
