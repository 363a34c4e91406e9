import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { RegistrationReport } from '#rehearse/registrations/registration-report.ts';
import { startBoathook } from '../support/boathook.ts';
import { startHookService } from '../support/hook-service.ts';
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
  runProgram(join(root, 'boathook'), ['rehearse', 'registration', ...args], { cwd: folder.path, env });

const example = (name: string): string => join(root, 'examples/reconcile', name);
const before = ['-f', example('')];
const edit = [...before, '--edit', example('edited')];
const reply = ['--hook', `kuard=${example('reply.json')}`];

let copies = 0;

/** A file of the examples with another text in it. */
function edited(name: string, change: (text: string) => string): string {
  copies += 1;
  const path = join(folder.path, `copy-${copies}.yaml`);
  writeFileSync(path, change(readFileSync(example(name), 'utf8')));
  return path;
}

const reportOf = (ended: Ended): RegistrationReport => firstReport(ended) as RegistrationReport;

test('an edit replaces the pods of an instance and shows the difference', async () => {
  const ended = await rehearse([...edit, ...reply]);
  expect(ended).toMatchObject({ code: 0, error: '' });
  expect(ended.out).toMatch(/^Kuard default\/my-kuard-extension {2}replaces its pods \(1 of 1 pod replaced/m);
  expect(ended.out).toMatch(/^- +image: gcr\.io\/kuar-demo\/kuard-amd64:blue\n\+ +image: .*:green$/m);
  expect(ended.out).toMatch(/^ +0:00 {2}kuard, post-reconcile {2}Kuard default\/my-kuard-extension {2}200$/m);
});

test('two instances: one rolls, one fails, one is added', async () => {
  const second = edited('instance.yaml', (text) => text.replace('my-kuard-extension', 'second'));
  const third = edited('instance.yaml', (text) => text.replace('my-kuard-extension', 'third'));
  const args = [...edit, '-f', second, '--edit', third, '--hook', 'kuard=fail-after:5', '-o', 'json'];
  const { instances, calls, outcome } = reportOf(await rehearse(args));
  expect(instances.map(({ title }) => title)).toEqual([
    'Kuard default/my-kuard-extension',
    'Kuard default/second',
    'Kuard default/third',
  ]);
  expect(instances.filter(({ result }) => result === 'fails').length).toBeGreaterThan(0);
  expect(outcome.type).toBe('Fails');
  expect(calls.filter(({ isGood }) => isGood)).toHaveLength(5);
});

test('the same seed gives the same report in another time zone and locale', async () => {
  const args = [...edit, ...reply, '-o', 'json'];
  const [one, two] = await Promise.all([
    rehearse(args),
    rehearse(args, { TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8' }),
  ]);
  expect(two.out).toBe(one.out);
  expect(reportOf(one)).toMatchObject({ outcome: { type: 'Completes' }, seed: 1 });
});

test.for([
  {
    name: 'a hook that replies nothing',
    args: edit,
    code: 4,
    says: /waits .* as before: KuardReady: UNKNOWN/,
  },
  {
    name: 'a hook that fails',
    args: [...edit, '--hook', 'kuard=fail'],
    code: 1,
    says: /fails: Reconciled: HOOKERROR: .*it answered 500: fails, by --hook/,
  },
  {
    name: 'an edit that changes no workload',
    args: [
      ...before,
      '--edit',
      edited('registration.yaml', (text) => text.replace('timeout: PT10S', 'timeout: PT11S')),
      ...reply,
    ],
    code: 0,
    says: /Kuard default\/my-kuard-extension {2}stays as it is/,
  },
  {
    name: 'a horizon after the last change, with less than two minutes of quiet',
    args: [...edit, ...reply, '--horizon', '1m'],
    code: 0,
    says: /^The edit would complete after \ds and replace the pods of 1 of 1 instance\.$/m,
  },
  {
    name: 'a horizon before the last change',
    args: [...edit, ...reply, '--horizon', '2s'],
    code: 4,
    says: /^The edit would not end within 2s: objects still change$/m,
  },
])('$name: exit code $code', async ({ args, code, says }) => {
  const ended = await rehearse(args);
  expect(ended.error).toBe('');
  expect(ended.out).toMatch(says);
  expect(ended.code).toBe(code);
});

test('ConfigMaps that pods need and nobody gives are named', async () => {
  const path = edited('registration.yaml', (text) =>
    text.replace(
      '    parameterConfiguration:\n',
      `    parameterConfiguration:
      add:
        toEnv:
          - name: COLOUR
            valueFrom: { configMap: { name: colours, key: main } }
`,
    ),
  );
  const { out, code } = await rehearse([...before, '--edit', path, ...reply]);
  expect(out).toMatch(/ConfigMap default\/colours, which is not in the manifests: .* add its file with -f/);
  expect(code).not.toBe(2);
});

test('nothing is called unless hooks are live', async () => {
  await using service = await startHookService({});
  const port = new URL(service.url).port;
  const change = (text: string): string =>
    text.replace('http://my-hook-service', `http://my-hook-service:${port}`);
  const files = [
    '-f',
    example('crd.yaml'),
    '-f',
    example('instance.yaml'),
    '-f',
    edited('service.yaml', (text) => text.replace('8080', port)),
    '-f',
    edited('registration.yaml', change),
    '--edit',
    edited('edited/registration.yaml', change),
  ];
  await rehearse(files);
  expect(service.asked).toEqual([]);
  const live = await rehearse([...files, '--live-hooks']);
  expect(live.error).toBe('');
  expect(service.asked.length).toBeGreaterThan(0);
});

test('the objects of a live cluster are read and not changed', async () => {
  // Nobody else changes the objects meanwhile.
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const env = { KUBECONFIG: server.kubeconfig };
  const kubectl = (args: readonly string[]): Promise<Ended> => runProgram('kubectl', args, { env });
  for (const name of ['crd', 'service', 'registration', 'instance'])
    expect(await kubectl(['apply', '-f', example(`${name}.yaml`)])).toMatchObject({ code: 0 });
  const look = ['get', 'crdregistrations', '-o', 'jsonpath={.items[*].spec}'];
  const spec = await kubectl(look);
  const { code, out, error } = await rehearse(
    ['--from-cluster', 'default', '--edit', example('edited'), ...reply],
    env,
  );
  expect(error).toBe('');
  expect(out).toMatch(/Kuard default\/my-kuard-extension {2}replaces its pods/);
  expect(code).toBe(0);
  expect(await kubectl(look)).toEqual(spec);
});

test.for([
  [['--edit', example('edited')], /give manifests with -f/],
  [['--from-cluster', '', '--edit', example('edited')], /--from-cluster '' is not the name of a namespace/],
  [before, /nothing is to be changed: give the edited objects with --edit FILE/],
  [
    ['-f', example('instance.yaml'), '--edit', example('edited')],
    /kuards\.extensions\.triggermesh\.io, which is not in the manifests: add its file with -f/,
  ],
  [
    [...before, '--edit', example('registration.yaml'), '--edit', example('instance.yaml')],
    /--edit changes nothing: CRDRegistration kuard, Kuard my-kuard-extension are like that already/,
  ],
  [
    [...before, '--edit', join(root, 'examples/canary/gamedeployment.yaml')],
    /--edit changes nothing: no registration and no instance has to do with GameDeployment test-gamedeployment\./,
  ],
  [
    [...edit, '--hook', 'other=pass'],
    /no registration with a hook and no gate has this name: choose from kuard/,
  ],
  [[...edit, '--hook', 'kuard=nowhere.json'], /nowhere\.json cannot be read/],
  [[...edit, '--hook', 'kuard'], /is not NAME=ANSWER/],
  [[...edit, '--horizon', 'soon'], /--horizon soon is not a duration/],
] as const)('bad input %s', async ([args, says]) => {
  expectBadInput(await lines.run(['rehearse', 'registration', ...args], folder.path), says);
});

test('Secrets that the hook needs are named', async () => {
  const path = edited('registration.yaml', (text) =>
    text.replace(
      '    timeout: PT10S\n',
      '    timeout: PT10S\n    auth: { bearer: { name: token, key: value } }\n',
    ),
  );
  const { code, error } = await rehearse([...before, '--edit', path, ...reply]);
  expect(error).toMatch(/needs Secret default\/token, which is not in the manifests: add its file with -f/);
  expect(code).toBe(2);
});

test('the page shows the difference, loads nothing and has no accessibility faults', async () => {
  const path = join(folder.path, 'rehearsal.html');
  expect(await rehearse([...edit, ...reply, '--html', path])).toMatchObject({ code: 0 });
  await expectPage(path, async (page) => {
    const diff = page.getByRole('region', { name: 'Deployment default/kuard-my-kuard-extension' });
    expect(await diff.innerText()).toMatch(/\+ +image: gcr\.io\/kuar-demo\/kuard-amd64:green/);
  });
});
