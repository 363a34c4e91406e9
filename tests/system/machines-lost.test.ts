import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProgressEvent } from '#machines/decide/events.ts';
import { openHosts } from '../support/sshd.ts';
import { openCuttableNetwork } from '../support/sshd/cut-network.ts';
import { operate } from '../support/sshd/operator.ts';
import { hook, nodeAt, planOf } from '../support/sshd/plans.ts';

test('a machine that is lost in the middle of a script is noticed within 25 s', async () => {
  using network = await openCuttableNetwork();
  await using hosts = openHosts();
  const host = await hosts.add({ addresses: [network.address], netns: network.netns, folders: ['/srv'] });
  const node = nodeAt('node-1', { address: host.address, port: host.port, key: hosts.key });
  const script = '#!/bin/sh\necho begun\nwhile [ ! -e /srv/go ]; do sleep 0.05; done\n';
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const plan = planOf([[hook(script, ['node-1'])]]);
  let cutAt = 0;
  let noticedAt = 0;
  const emit = (event: ProgressEvent): void => {
    if (event.type === 'output') {
      network.cut();
      cutAt = performance.now();
    }
    if (event.type === 'notice' && /connection .* was lost/.test(event.message))
      noticedAt = performance.now();
  };
  const times = { patienceMillis: 1000, connectMillis: 2000 };
  const end = await operate({ id: 'op', plan, nodes: [node], dataDir, insecure: true, ...times }, { emit });
  expect(noticedAt - cutAt).toBeGreaterThan(0);
  expect(noticedAt - cutAt).toBeLessThan(25_000);
  expect(end).toMatchObject({
    type: 'ended',
    verdict: { state: 'Failed', failures: [{ outcome: { type: 'unreachable', launched: true } }] },
  });
  writeFileSync(host.path('/srv/go'), '');
});
