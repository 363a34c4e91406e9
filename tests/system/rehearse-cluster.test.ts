import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { OperationReport } from '#rehearse/machines/operation-report.ts';
import { openCommandLines } from '../support/command-lines.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import { expectBadInput, expectPage, firstReport } from '../support/rehearsal-pages.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

/** Those that are refused. */
const lines = openCommandLines();
afterAll(() => lines[Symbol.dispose]());

const rehearse = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runProgram(join(root, 'boathook'), ['rehearse', 'cluster', ...args], { cwd: folder.path, env });

const upgrade = ['-f', join(root, 'examples/machines/upgrade/cluster.yaml'), 'upgrade'];
const known = [...upgrade, '--from-version', '1.33.4'];
const eggo = ['-f', join(root, 'examples/machines/eggo/deploy.yaml')];

const reportOf = (ended: Ended): OperationReport => firstReport(ended) as OperationReport;

test('an upgrade goes from machine to machine, and every machine has the new version', async () => {
  const ended = await rehearse([...known, '-o', 'json']);
  expect(ended).toMatchObject({ code: 0, error: '' });
  const { machines, tasks, outcome, seconds, downtime } = reportOf(ended);
  expect(outcome).toEqual({ type: 'Completes' });
  expect(
    machines.map(({ node, versionBefore, versionAfter }) => [node, versionBefore, versionAfter]),
  ).toEqual(['192.0.2.31', 'm2', 'm3'].map((node) => [node, '1.33.4', '1.34.2']));
  const hooks = tasks.filter(({ title }) => title === 'PreUpgrade');
  expect(hooks.map(({ node }) => node)).toEqual(['192.0.2.31', 'm2', 'm3']);
  for (const { startedAt, endedAt = 0 } of hooks) expect(endedAt - startedAt).toBeCloseTo(30, 0);
  expect(seconds).toBeGreaterThan(300);
  expect(downtime).toMatchObject({ node: '192.0.2.31' });
  expect(existsSync(join(folder.path, '.boathook'))).toBe(false);
});

test('the same seed gives the same report in another time zone and locale; another seed another', async () => {
  const args = [...known, '--fail', '*:PreUpgrade:30%', '-o', 'json'];
  const [one, two, three] = await Promise.all([
    rehearse(args),
    rehearse(args, { TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8' }),
    rehearse([...args, '--seed', '2']),
  ]);
  expect(two.out).toBe(one.out);
  expect(three.out).not.toBe(one.out);
});

test.for([
  {
    name: 'a script that fails',
    args: [...known, '--fail', 'm2:post-upgrade', '--retries', '2'],
    code: 1,
    says: [
      /PostUpgrade, attempt 3 .* failed/,
      /^The operation would fail after .*: m2: PostUpgrade ended with exit code 1$/m,
      /^ {2}m2 .* 1\.33\.4 -> 1\.34\.2 .* stopped at PostUpgrade$/m,
      /^ {2}m3 .* 1\.33\.4 .* left before PreUpgrade$/m,
    ],
  },
  {
    name: 'a script that fails twice',
    args: [...known, '--fail', 'm2:PostUpgrade:2'],
    code: 0,
    says: [/PostUpgrade, attempt 3 .* succeeded/],
  },
  {
    name: 'a machine that crashes is back and continues',
    args: [...known, '--machine', 'm2=crash@PreUpgrade'],
    code: 0,
    says: [
      /m2 +PreUpgrade +takes 1m\d+s +unknown: .* rebooted/,
      /m2 +PreUpgrade, attempt 2 +takes 30s +succeeded/,
    ],
  },
  {
    name: 'a machine that dies',
    args: [...known, '--machine', 'm2=down@PreUpgrade'],
    code: 1,
    says: [/the machine is down/, /^ {2}m2 .* stopped at PreUpgrade; the machine is down$/m],
  },
  {
    name: 'a machine that dies while it is upgraded keeps its version',
    args: [...known, '--machine', 'm2=down@upgrade', '--step', 'upgrade=10m', '--retries', '0'],
    code: 1,
    says: [
      /^ {2}192\.0\.2\.31 .* 1\.33\.4 -> 1\.34\.2 .* left before uncordon of m2$/m,
      /^ {2}m2 +worker +1\.33\.4 +.* stopped at upgrade; the machine is down$/m,
    ],
  },
  {
    name: 'a script that still runs at the horizon has changed nothing',
    args: [...known, '--step', 'upgrade-first=2h', '--horizon', '1h'],
    code: 4,
    says: [
      /^ {2}192\.0\.2\.31 +master,etcd +1\.33\.4 +.* stopped at upgrade-first$/m,
      /does not answer for up to 58m\d+s, from 1:\d\d to 1:00:00$/m,
    ],
  },
  {
    name: 'a machine that is down from the beginning',
    args: [...known, '--machine', 'm2=down'],
    code: 1,
    says: [/nothing would be changed, because machines cannot be reached/, /m2 at login/],
  },
  {
    name: 'steps with a duration, and a slow machine',
    args: [...known, '--step', 'PreUpgrade=10m', '--machine', 'm2=slow:3'],
    code: 0,
    says: [/192\.0\.2\.31 +PreUpgrade +takes 10m /, /m2 +PreUpgrade +takes 30m/],
  },
  {
    name: 'a slow machine is slow in scripts, in programs and when a script fails',
    args: [...known, '--machine', 'm2=slow:3', '--fail', 'm2:PostUpgrade:1'],
    code: 0,
    says: [
      /^ +\S+ +192\.0\.2\.31 +PreUpgrade +takes 30s /m,
      /^ +\S+ +m2 +PreUpgrade +takes 1m30s /m,
      /^ +\S+ +m2 +PostUpgrade +takes 3s +failed/m,
      /^ +\S+ +m2 +PostUpgrade, attempt 2 +takes 15s +succeeded/m,
    ],
  },
  {
    name: 'the horizon',
    args: [...known, '--horizon', '1m'],
    code: 4,
    says: [
      /^The operation would not end within 1m: drain on 192\.0\.2\.31 still runs$/m,
      /^ +0:41 +192\.0\.2\.31 +drain +does not end +running$/m,
    ],
  },
  {
    name: 'the rollback of a failed deploy',
    args: [...eggo, 'deploy', '--fail', 'worker-1:join-worker'],
    code: 1,
    says: [
      /^It would be rolled back from \S+ on: cleanup of master-0, worker-0, worker-1, complete after/m,
      /worker-0 +reset +takes \d+s +succeeded/,
      /worker-1 +reset +takes 0s +unchanged/,
      /^ {2}worker-0 .*; rolled back$/m,
    ],
  },
  {
    name: 'a join that fails leaves the others alone',
    args: [
      ...eggo,
      'join',
      '192.0.2.7',
      '--name',
      'worker-2',
      '--posthook',
      `${join(root, 'examples/machines/eggo/node.sh')},worker`,
      '--fail',
      'worker-2:node.sh',
    ],
    code: 1,
    says: [/would end after \S+ without worker-2/, /delete of worker-2, complete after/],
  },
  {
    name: 'an upgrade that skips minor versions',
    args: [...upgrade, '--from-version', '1.30.0'],
    code: 0,
    says: [/^ {2}- kubeadm would refuse to go from 1\.30\.0 to 1\.34\.2/m],
  },
  {
    name: 'a worker that would be newer than its control plane',
    args: [...upgrade, 'm2', '--from-version', '1.33.4'],
    code: 0,
    says: [
      /^ {2}- m2 would get a kubelet of 1\.34\.2, which must not be newer than the API server of 1\.33\.4/m,
    ],
  },
  {
    name: 'a removal that nobody confirms',
    args: [...eggo, 'cleanup', '--approve', 'never'],
    code: 4,
    says: [/wait for an answer before it begins: cleanup removes the cluster k8s-cluster from master-0/],
  },
  {
    name: 'a downgrade that nobody confirms',
    args: [...upgrade, '--from-version', '1.35.0', '--approve', 'never'],
    code: 4,
    says: [
      /^Rehearsal of upgrade of cluster harbour: version 1\.35\.0 -> 1\.34\.2$/m,
      /wait for an answer before it begins: harbour has version 1\.35\.0: this is a downgrade to 1\.34\.2$/m,
      /^ {2}m2 +worker +1\.35\.0 +not begun$/m,
    ],
  },
  {
    name: 'scripts of this computer',
    args: ['-f', join(root, 'examples/machines/bootstrap/deploy.yaml'), 'bootstrap'],
    code: 0,
    says: [/\(here\) +pre-install +takes 0s +succeeded/, /\(here\) +post-install +takes 0s +succeeded/],
  },
])('$name: exit code $code', async ({ args, code, says }) => {
  const ended = await rehearse(args);
  expect(ended.error).toBe('');
  for (const text of says) expect(ended.out).toMatch(text);
  expect(ended.code).toBe(code);
});

test('scripts of the user are not run on this computer, and secrets are not read', async () => {
  const place = join(folder.path, 'own');
  cpSync(join(root, 'examples/machines/upgrade'), place, { recursive: true });
  const hook = join(place, 'hooks/pre-upgrade');
  writeFileSync(hook, `#!/bin/sh\ntouch ${join(folder.path, 'touched')}\necho done\nmy-program --fast\n`);
  chmodSync(hook, 0o755);
  const ended = await rehearse(['-f', join(place, 'cluster.yaml'), 'upgrade']);
  expect(ended.code).toBe(0);
  expect(ended.out).toContain('PreUpgrade: my-program is not run and counts as successful');
  expect(ended.out).not.toContain('123456');
  expect(existsSync(join(folder.path, 'touched'))).toBe(false);
  expect(readdirSync(folder.path)).not.toContain('.boathook');
});

test('the text of many seeds has the versions, the machines and the rollbacks', async () => {
  const upgraded = await rehearse([...known, '--runs', '2', '--seed', '5']);
  expect(upgraded.out).toMatch(
    /^2 rehearsals of upgrade of cluster harbour: version 1\.33\.4 -> 1\.34\.2\n3 machines, installer kubeadm, seeds 5 to 6\n/,
  );
  expect(upgraded.out).not.toContain('Rollback');
  const failed = await rehearse([...eggo, 'deploy', '--fail', 'worker-1:join-worker', '--runs', '2']);
  expect(failed.out).toMatch(/^Rollback: in 2 of 2 rehearsals, complete in 2$/m);
});

test('many seeds give a distribution', async () => {
  const args = [...known, '--fail', '*:PreUpgrade:40%', '--retries', '0', '--runs', '6', '-o', 'json'];
  const { code, out } = await rehearse(args);
  const { summary } = JSON.parse(out) as {
    readonly summary: { readonly outcomes: readonly { readonly runs: number }[] };
  };
  expect(summary.outcomes.length).toBeGreaterThan(1);
  expect(summary.outcomes.reduce((sum, { runs }) => sum + runs, 0)).toBe(6);
  expect(code).toBe(1);
});

test.for([
  [['upgrade'], /required option '-f, --filename <path>' not specified/],
  [['-f', 'nowhere.yaml', 'upgrade'], /nowhere\.yaml/],
  [[...upgrade.slice(0, 2), 'explode'], /"explode" is not a verb\. Valid values: deploy, cleanup/],
  [[...upgrade, '--step', 'PreUpgrade'], /is not STEP=DURATION, such as PreUpgrade=30s/],
  [
    [...upgrade, '--step', 'PreInstall=3s'],
    /--step: no script is called PreInstall: choose from plan-upgrade/,
  ],
  [
    [...upgrade, '--fail', 'm9:PreUpgrade'],
    /does not concern a machine m9: choose from 192\.0\.2\.31, m2, m3/,
  ],
  [[...upgrade, '--fail', 'm2:upgrade-first'], /upgrade-first does not run on m2: choose from 192\.0\.2\.31/],
  [
    ['-f', join(root, 'examples/machines/bootstrap/deploy.yaml'), 'bootstrap', '--fail', '*:pre-install'],
    /pre-install does not run on a machine: choose from @local/,
  ],
  [[...upgrade, '--machine', 'm2=down@drain'], /drain does not run on m2: choose from 192\.0\.2\.31/],
  [[...upgrade, '--fail', 'm2'], /write MACHINE:STEP/],
  [[...upgrade, '--machine', 'm2=happy'], /write NAME=down, NAME=down@STEP, NAME=crash@STEP or NAME=slow:3/],
  [[...upgrade, '--approve', 'maybe'], /--approve maybe does not exist: choose from auto, never/],
  [[...upgrade, '--from-version', 'abc'], /--from-version abc is not a version: write one such as 1\.33\.4/],
  [[...upgrade, '--horizon', 'soon'], /--horizon soon is not a duration/],
  [[...upgrade, '--runs', '0'], /--runs 0 rehearses nothing/],
] as const)('bad input %s', async ([args, says]) => {
  expectBadInput(await lines.run(['rehearse', 'cluster', ...args], folder.path), says);
});

test('a script that is not there is named, with what to do', async () => {
  const place = join(folder.path, 'missing');
  cpSync(join(root, 'examples/machines/upgrade'), place, { recursive: true });
  const file = join(place, 'cluster.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('/opt/hooks/pre-upgrade', '/opt/hooks/other'));
  const { code, error } = await rehearse(['-f', file, 'upgrade']);
  expect(error).toMatch(/"\/opt\/hooks\/other" is not delivered by spec\.features\.files: add an entry/);
  expect(code).toBe(2);
});

test('the page shows the machines, loads nothing and has no accessibility faults', async () => {
  const path = join(folder.path, 'rehearsal.html');
  const args = [...eggo, 'deploy', '--fail', 'worker-1:join-worker', '--html', path];
  expect(await rehearse(args)).toMatchObject({ code: 1 });
  await expectPage(path, async (page) => {
    expect(await page.getByRole('img').getAttribute('aria-label')).toMatch(/14 on 5 machines/);
    expect(await page.getByRole('row').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringMatching(/worker-1\s+join-worker\s+takes 1s\s+failed/)]),
    );
  });
});

test('the page of many seeds shows the shares, the durations and an example of each outcome', async () => {
  const path = join(folder.path, 'rehearsals.html');
  const args = [...known, '--fail', '*:PreUpgrade:40%', '--retries', '0', '--runs', '6', '--html', path];
  const { out } = await rehearse(args);
  const outcomes = out.split('\n').filter((line) => line.includes('for instance --seed'));
  await expectPage(path, async (page) => {
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([
      expect.stringMatching(/^6 rehearsals of upgrade of cluster/),
    ]);
    expect(await page.getByRole('listitem').filter({ hasText: 'for instance' }).count()).toBe(
      outcomes.length,
    );
    const examples = page.getByRole('heading', { name: /an example of those that/ });
    expect(await examples.count()).toBe(outcomes.length);
    const chart = page.getByRole('img', { name: /^Durations of 6 rehearsals/ });
    expect(await chart.count()).toBe(1);
  });
});
