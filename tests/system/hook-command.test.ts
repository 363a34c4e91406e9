import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { launchBoathook, runBoathook, startBoathook, type Boathook } from '../support/boathook.ts';
import { openCommandLines } from '../support/command-lines.ts';
import { runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

/** Those that are refused. */
const lines = openCommandLines();
afterAll(() => lines[Symbol.dispose]());

const hook = (...args: readonly string[]) => runBoathook(['hook', ...args]);
const example = (name: string): string => join(root, 'examples/hooks', name);

let files = 0;
function written(text: string): string {
  files += 1;
  const path = join(folder.path, `${files}.yaml`);
  writeFileSync(path, text);
  return path;
}

type Server = { readonly url: string; readonly asked: string[]; [Symbol.asyncDispose](): Promise<void> };

async function serve(answer: RequestListener): Promise<Server> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const saying =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

const template = (metric: string, args = ''): string => `apiVersion: tkex.tencent.com/v1alpha1
kind: HookTemplate
metadata: { name: test }
spec:
  args: [${args}]
  metrics:
    - name: webtest
${metric.replaceAll(/^/gm, '      ')}
`;
const web = (rest: string, path = '{$.age}'): string =>
  `${rest}\nprovider: { web: { url: 'http://127.0.0.1:1/x?y=1', jsonPath: '${path}' } }`;

describe('hook test', () => {
  test('the example fails on a server that says 45, and explains why', async () => {
    await using server = await serve(saying('{"name":"bryan","male":"yes","age":45}'));
    const { code, out } = await hook('test', '-f', example('age.yaml'), '--url-override', server.url);
    expect(code).toBe(1);
    expect(out).toContain('webtest  Failed  value "45"');
    expect(out).toContain(`GET ${server.url} -> HTTP 200`);
    expect(out).toContain('asInt(result) < 30 is false');
    expect(out).toMatch(/\nFailed: metric webtest is Failed: failed once, tolerated 0/);
    // The second call is never made.
    expect(server.asked).toEqual(['GET /']);
  });

  test('the example needs nothing but its recorded reply', async () => {
    const { code, out, error } = await hook(
      'test',
      '-f',
      example('age.yaml'),
      '--fixture',
      example('reply.json'),
    );
    expect([code, error]).toEqual([1, '']);
    expect(out).toContain('asInt(result) = 45');
  });

  test('the other examples succeed on their recorded replies', async () => {
    const rates = await hook(
      'test',
      '-f',
      example('error-rate.yaml'),
      '--arg',
      'service=shop',
      '--fixture',
      example('error-rate.json'),
    );
    expect([rates.code, rates.error]).toEqual([0, '']);
    expect(rates.out).toContain('waiting for some');
    const pod = await hook(
      'test',
      '-f',
      example('pod-ready.yaml'),
      '--arg',
      'PodName=web-0',
      '--fixture',
      example('pod-ready.json'),
    );
    expect([pod.code, pod.error]).toEqual([0, '']);
    expect(pod.out).toContain('result = "Running False"');
  });

  /** What the server says, what the metric wants, and how the command ends. */
  test.for([
    { name: 'Successful', says: '{"age":20}', metric: "successCondition: 'asInt(result) < 30'", code: 0 },
    { name: 'Failed', says: '{"age":31}', metric: "failureCondition: 'asInt(result) > 30'", code: 1 },
    {
      name: 'Inconclusive',
      says: '{"age":30}',
      metric: "successCondition: 'asInt(result) < 30'\nfailureCondition: 'asInt(result) > 30'",
      code: 4,
    },
    {
      name: 'Error: not a number',
      says: '{"age":"x"}',
      metric: "successCondition: 'asInt(result) < 30'\nconsecutiveErrorLimit: 0",
      code: 3,
    },
    { name: 'Error: no such key', says: '{}', metric: 'consecutiveErrorLimit: 0', code: 3 },
    { name: 'Failed: no such key, and that is a failure', says: '{}', metric: 'noData: Fail', code: 1 },
  ])('$name ends with $code', async ({ says, metric, code }) => {
    await using server = await serve(saying(says));
    const ended = await hook('test', '-f', written(template(web(metric))), '--url-override', server.url);
    expect(ended.code).toBe(code);
    expect(server.asked).toEqual(['GET /x?y=1']);
  });

  test('a server that answers 503 is an Error that names it', async () => {
    await using server = await serve(saying('busy', 503));
    const file = written(template(web('consecutiveErrorLimit: 0')));
    const { code, out } = await hook('test', '-f', file, '--url-override', `${server.url}/other?z=2`);
    expect(code).toBe(3);
    expect(out).toContain('503');
    expect(server.asked).toEqual(['GET /other?z=2']);
  });

  test('arguments are filled in, and -o json prints the whole verdict', async () => {
    await using server = await serve(saying('{"age":20}'));
    const metric = `count: 2\ninterval: 50ms\nsuccessCondition: 'asInt(result) < 30'\nprovider: { web: { url: '{{ args.base }}/{{ args.who }}', jsonPath: '{.age}' } }`;
    const file = written(template(metric, '{ name: base }, { name: who, value: nobody }'));
    const { code, out } = await hook(
      'test',
      '-f',
      file,
      '--arg',
      `base=${server.url}`,
      '--arg',
      'who=a/b',
      '-o',
      'json',
    );
    expect(code).toBe(0);
    expect(server.asked).toEqual(['GET /a/b', 'GET /a/b']);
    expect(JSON.parse(out)).toMatchObject({
      phase: 'Successful',
      runs: [
        {
          template: 'test',
          phase: 'Successful',
          metricResults: [
            {
              name: 'webtest',
              count: 2,
              measurements: [{ value: '20', evidence: { status: 200 } }, { phase: 'Successful' }],
            },
          ],
        },
      ],
    });
  });

  const two = `${template(web("successCondition: 'asInt(result) < 30'"))}---\n${template(
    web("successCondition: 'asInt(result) > 30'"),
  )
    .replace('name: test', 'name: other')
    .replace('name: webtest', 'name: second')}`;

  test('several documents: the worst verdict counts; --metric chooses', async () => {
    await using server = await serve(saying('{"age":20}'));
    const both = await hook('test', '-f', written(two), '--url-override', server.url);
    expect(both.code).toBe(1);
    expect(both.out).toMatch(/HookTemplate test[^]*Successful[^]*HookTemplate other[^]*Failed/);
    const metrics = template(web('count: 1')).concat(
      `    - { name: b, provider: { web: { url: 'http://127.0.0.1:1/b' } } }\n`,
    );
    const one = await hook('test', '-f', written(metrics), '--metric', 'b', '--url-override', server.url);
    expect([one.code, server.asked.at(-1), one.out.includes('webtest')]).toEqual([0, 'GET /b', false]);
  });

  test('the input is read for -', async () => {
    const said = await runProgram(
      join(root, 'boathook'),
      ['hook', 'test', '-f', '-', '--fixture', example('reply.json')],
      {
        stdin: JSON.stringify({
          apiVersion: 'tkex.tencent.com/v1alpha1',
          kind: 'HookTemplate',
          metadata: { name: 'json' },
          spec: {
            metrics: [
              {
                name: 'm',
                provider: { web: { url: 'http://h', jsonPath: '{.name}' } },
                successCondition: 'result == "bryan"',
              },
            ],
          },
        }),
      },
    );
    expect([said.code, said.error]).toEqual([0, '']);
  });

  test('replies in their order, on a clock that jumps', async () => {
    const replies = {
      replies: [{ status: 503, body: 'busy' }, { body: { age: 31 } }, { body: { age: 20 } }],
    };
    const file = written(
      template(web("count: 3\ninterval: 1h\nfailureLimit: 1\nsuccessCondition: 'asInt(result) < 30'")),
    );
    const { code, out } = await hook('test', '-f', file, '--fixture', written(JSON.stringify(replies)));
    expect(code).toBe(0);
    expect(out).toContain('webtest: Successful after 4 calls (2 successful, 1 failed, 1 in error)');
  });

  test('a run without an end is left undecided on a recorded reply', async () => {
    const file = written(template(web('interval: 1s')));
    const { code, out } = await hook('test', '-f', file, '--fixture', example('reply.json'));
    expect(code).toBe(4);
    expect(out).toContain('undecided');
  });

  test('Ctrl-C ends it with 130', async () => {
    await using server = await serve(() => undefined);
    const file = written(template(web('interval: 1s')));
    await using running = launchBoathook(['hook', 'test', '-f', file, '--url-override', server.url]);
    await running.lineLike(/HookTemplate test/);
    await expect.poll(() => server.asked.length).toBe(1);
    expect(await running.stop('SIGINT')).toMatchObject({ code: 130 });
  });

  test.for([
    ['a file that is not there', ['-f', '/nowhere.yaml'], 'cannot be read'],
    ['no YAML', ['-f', written('a: [')], 'yaml: line'],
    ['no template', ['-f', written('kind: Pod')], 'has no HookTemplate: it has Pod'],
    ['an unknown field', ['-f', written(template(web('intervall: 1s')))], 'intervall: is not a known field'],
    ['what the schema refuses', ['-f', written(template(web('interval: soon')))], 'spec.metrics[0].interval'],
    [
      'what the static check refuses',
      ['-f', written(template(web("successCondition: 'result < 30'")))],
      'asInt',
    ],
    ['a path that is none', ['-f', written(template(web('count: 1', '{.a')))], 'unclosed action'],
    [
      'an argument without a value',
      ['-f', written(template(web('count: 1'), '{ name: a }'))],
      'the argument a has no value',
    ],
    [
      'a placeholder without an argument',
      ['-f', written(template("provider: { web: { url: 'http://{{ args.x }}' } }"))],
      '{{ args.x }} names no argument',
    ],
    [
      'an argument that nobody declares',
      ['-f', example('age.yaml'), '--arg', 'x=1'],
      '--arg x is no argument',
    ],
    ['an argument without a sign', ['-f', example('age.yaml'), '--arg', 'x'], 'write --arg NAME=VALUE'],
    ['a metric that is not there', ['-f', example('age.yaml'), '--metric', 'x'], 'choose from webtest'],
    [
      'an override that is none',
      ['-f', example('age.yaml'), '--url-override', 'x'],
      '--url-override x is no address',
    ],
    [
      'a fixture that is not there',
      ['-f', example('age.yaml'), '--fixture', '/nowhere.json'],
      'cannot be read',
    ],
    ['an output that is not known', ['-f', example('age.yaml'), '-o', 'xml'], 'use json'],
    [
      'a provider that needs a cluster',
      ['-f', example('pod-ready.yaml'), '--arg', 'PodName=a'],
      'needs a cluster',
    ],
    ['no file', [], "required option '-f, --filename <file>'"],
  ] as const)('%s ends with 2', async ([, args, message]) => {
    const { code, error } = await lines.run(['hook', 'test', ...args]);
    expect(error).toContain(message);
    expect(code).toBe(2);
  });
});

describe('hook lint', () => {
  test('clean examples', async () => {
    for (const name of ['age.yaml', 'error-rate.yaml', 'pod-ready.yaml']) {
      const { code, out } = await hook('lint', '-f', example(name));
      expect([code, out]).toEqual([0, '1 template: 0 errors, 0 warnings\n']);
    }
  });

  test('errors end with 1, warnings do not', async () => {
    const wrong = template(
      web(
        "count: 2\ninterval: 1s\nfailureLimit: 2\nsuccessCondition: 'asInt(result) < 3 && asInt(result) > 9'",
      ),
    );
    const warned = await hook('lint', '-f', written(wrong));
    expect(warned.code).toBe(0);
    expect(warned.out).toMatch(
      /\.yaml:11: HookTemplate test: warning: spec\.metrics\[0\]\.successCondition: can never be true/,
    );
    expect(warned.out).toContain('warning: spec.metrics[0].failureLimit: can never be exceeded');
    const { code, out } = await hook(
      'lint',
      '-f',
      written(`${wrong}---\n${template(web("successCondition: 'result <'"))}`),
      '-o',
      'json',
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      errors: 1,
      warnings: 2,
      templates: [
        { name: 'test' },
        { findings: [{ severity: 'error', path: 'spec.metrics[0].successCondition', line: 21 }] },
      ],
    });
  });
});

describe('with a cluster', () => {
  let cluster: Boathook;
  let server: Server;
  let age = 20;
  beforeAll(async () => {
    cluster = await startBoathook();
    server = await serve((_request, response) => void response.end(JSON.stringify({ age })));
    const text = template(
      `count: 2\ninterval: 100ms\nsuccessCondition: 'asInt(result) < 30'\nprovider: { web: { url: '${server.url}/{{ args.who }}', jsonPath: '{.age}' } }`,
      '{ name: who }',
    );
    const applied = await runProgram('kubectl', ['--kubeconfig', cluster.kubeconfig, 'apply', '-f', '-'], {
      stdin: [
        text,
        text.replace('name: test', 'name: endless').replace('count: 2', ''),
        text.replace('name: test', 'name: tolerant').replace('count: 2', 'failureLimit: 100000'),
      ].join('---\n'),
      env: { HOME: cluster.home },
    });
    expect(applied.error).toBe('');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });
  const inCluster = (...args: readonly string[]) => hook(...args, '--kubeconfig', cluster.kubeconfig);

  test('run --wait ends as the verdict says, get and list show it', async () => {
    age = 20;
    const good = await inCluster('run', 'test', '--arg', 'who=me', '--wait', '--name', 'good');
    expect([good.code, good.error]).toEqual([0, '']);
    expect(good.out).toMatch(
      /HookRun default\/good created\n[^]*webtest {2}Successful {2}value "20"[^]*\nSuccessful/,
    );
    age = 45;
    const bad = await inCluster('run', 'test', '--arg', 'who=me', '--wait', '--name', 'bad', '-o', 'json');
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.out)).toMatchObject({ kind: 'HookRun', status: { phase: 'Failed' } });
    const shown = await inCluster('get', 'bad');
    expect(shown.out).toContain('HookRun default/bad: Failed');
    expect(shown.out).toContain(`GET ${server.url}/me -> HTTP 200`);
    expect(shown.out).toContain('asInt(result) < 30 is false');
    const listed = await inCluster('list');
    expect(listed.out).toMatch(/^NAME +PHASE +METRICS +AGE +MESSAGE\n/);
    expect(listed.out).toMatch(/\nbad +Failed +webtest Failed 1\/2 /);
    const all = await inCluster('list', '-A', '-o', 'json');
    expect((JSON.parse(all.out) as { items: unknown[] }).items).toHaveLength(2);
  });

  test('run --wait --timeout ends with 124, and the run continues', async () => {
    age = 20;
    const args = ['run', 'endless', '--arg', 'who=me', '--name', 'late'];
    const late = await inCluster(...args, '--wait', '--timeout', '1s');
    expect(late.error).toBe(
      'boathook: HookRun default/late has no verdict after 1s. It continues: boathook hook get late -n default shows it, boathook hook stop ends it\n',
    );
    expect(late.code).toBe(124);
    await expect
      .poll(async () => (await inCluster('get', 'late')).out)
      .toContain('HookRun default/late: Running');
    expect(await inCluster('run', 'test', '--timeout', '1s')).toMatchObject({
      code: 2,
      error: 'boathook: --timeout needs --wait\n',
    });
    expect(await inCluster('stop', 'late')).toMatchObject({ code: 0 });
  });

  test('--context, --as and --as-group, also before the command', async () => {
    const kubeconfig = ['--kubeconfig', cluster.kubeconfig];
    const listed = await runBoathook([...kubeconfig, '--as', 'eve', 'hook', 'list', '-A', '-o', 'json']);
    expect(listed.code, listed.error).toBe(0);
    const unknown = await hook('list', ...kubeconfig, '--context', 'nowhere');
    expect(unknown).toMatchObject({ code: 2, error: expect.stringContaining('"nowhere"') as string });
    const groups = await hook('list', ...kubeconfig, '--as-group', 'a');
    expect(groups).toMatchObject({
      code: 2,
      error: expect.stringContaining('--as-group needs --as') as string,
    });
  });

  test('stop ends a run without an end as Successful', async () => {
    age = 20;
    const made = await inCluster('run', 'endless', '--arg', 'who=me', '-o', 'json');
    expect(made.code).toBe(0);
    const { name } = (JSON.parse(made.out) as { metadata: { name: string } }).metadata;
    expect(name).toMatch(/^endless-[a-z0-9]{5}$/);
    const stopped = await inCluster('stop', name);
    expect(stopped.code).toBe(0);
    expect(stopped.out).toContain(`HookRun default/${name} is stopped and ends Successful\n`);
    expect(stopped.out).toContain(
      'The release or pod that waits for it continues. To prevent that, use --verdict Failed',
    );
    await expect.poll(async () => (await inCluster('get', name)).out).toContain(': Successful');
    expect((await inCluster('stop', name)).out).toContain('has already ended: Successful');
  });

  test('stop --verdict Failed ends a run that is undecided without opening what waits for it', async () => {
    age = 45;
    const made = await inCluster('run', 'tolerant', '--arg', 'who=me', '-o', 'json');
    const { name } = (JSON.parse(made.out) as { metadata: { name: string } }).metadata;
    await expect.poll(async () => (await inCluster('get', name)).out).toContain('failed)');
    const unknown = await inCluster('stop', name, '--verdict', 'Good');
    expect([unknown.code, unknown.error]).toEqual([
      2,
      expect.stringContaining('--verdict Good is not known: give one of Successful, Failed, Inconclusive'),
    ]);
    const stopped = await inCluster('stop', name, '--verdict', 'Failed');
    expect([stopped.code, stopped.error]).toEqual([0, '']);
    expect(stopped.out).toMatch(
      /is stopped and ends Failed\n  webtest: Failed after \d+ calls? \(\d+ failed\): [^\n]*verdict Failed[^]*does not continue/,
    );
    await expect
      .poll(async () => (await inCluster('get', name)).out)
      .toContain(`HookRun default/${name}: Failed`);
    const late = await inCluster('stop', name, '--verdict', 'Inconclusive');
    expect([late.code, late.error]).toEqual([1, expect.stringContaining('ended Failed before it could')]);
  });

  test.for([
    ['a template that is not there', ['run', 'nobody'], 1, 'HookTemplate default/nobody does not exist'],
    ['an argument without a value', ['run', 'test'], 2, 'the argument who has no value'],
    ['an argument that nobody declares', ['run', 'test', '--arg', 'x=1'], 2, 'it has who'],
    ['a run that is not there', ['get', 'nobody'], 1, 'HookRun default/nobody does not exist'],
    [
      'another namespace',
      ['stop', 'good', '-n', 'kube-system'],
      1,
      'HookRun kube-system/good does not exist',
    ],
  ] as const)('%s', async ([, args, code, message]) => {
    const ended = await lines.run(['hook', ...args, '--kubeconfig', cluster.kubeconfig]);
    expect(ended.error).toContain(message);
    expect(ended.code).toBe(code);
  });

  test('a server that is not there ends with 5', async () => {
    const kubeconfig = written(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'a', cluster: { server: 'http://127.0.0.1:1' } }],
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        users: [{ name: 'a', user: {} }],
        'current-context': 'a',
      }),
    );
    expect(await hook('list', '--kubeconfig', kubeconfig)).toMatchObject({ code: 5 });
  });
});

test('without the definitions every command of runs names them and how to install them', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const remove = await runProgram('kubectl', [
    '--kubeconfig',
    server.kubeconfig,
    'delete',
    'crd',
    'hookruns.tkex.tencent.com',
    'hooktemplates.tkex.tencent.com',
  ]);
  expect(remove.code, remove.error).toBe(0);
  for (const [args, missing] of [
    [['list'], 'hookruns.tkex.tencent.com'],
    [['get', 'a'], 'hookruns.tkex.tencent.com'],
    [['stop', 'a'], 'hookruns.tkex.tencent.com'],
    [['run', 'a'], 'hooktemplates.tkex.tencent.com, hookruns.tkex.tencent.com'],
  ] as const) {
    const { code, error } = await hook(...args, '--kubeconfig', server.kubeconfig);
    expect(code).toBe(1);
    expect(error).toBe(
      `boathook: the cluster has no CustomResourceDefinition ${missing}: install it with boathook crds | kubectl apply -f -\n`,
    );
  }
});

test('lint says in words what a duration looks like, not as a regular expression', async () => {
  const metric = `interval: 5 seconds
count: 2
successCondition: asInt(result) == 1
provider: { web: { url: "http://127.0.0.1/x", jsonPath: "{$.age}" } }`;
  const { code, out } = await hook('lint', '-f', written(template(metric)));
  expect(code).toBe(1);
  expect(out).toContain(
    'error: spec.metrics[0].interval: "5 seconds" is not a duration: use one such as 500ms, 30s, 5m or 1h30m\n',
  );
  expect(out).not.toContain('should match');
});
