import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startBoathook, type Boathook } from '../support/boathook.ts';
import { startHookService, type HookService } from '../support/hook-service.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';
import { startPrometheus } from '../support/prometheus.ts';

/** As people read it in the document. */
const template = `apiVersion: tkex.tencent.com/v1alpha1
kind: HookTemplate
metadata:
  name: test
spec:
  args:  
    - name: service-name
      value: test-gamedeployment-svc.default.svc.cluster.local
    - name: PodName
  metrics:
  - name: webtest
    count: 2
    interval: 60s
    failureLimit: 0
    successCondition: "asInt(result) < 30"
    provider:
      web:
        url: http://1.1.1.1:9091
        jsonPath: "{$.age}"
`;

let server: Boathook;
let service: HookService;
let kubectl: Terminal;

beforeAll(async () => {
  server = await startBoathook();
  service = await startHookService({ name: 'bryan', male: 'yes', age: 32 });
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  kubectl = openTerminal(newest, server, 'default');
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const apply = (object: object | string): Promise<string> =>
  kubectl.run(['apply', '-f', '-'], { stdin: typeof object === 'string' ? object : stringify(object) });

const run = (name: string, metric: object, more: object = {}): object => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookRun',
  metadata: { name },
  spec: { metrics: [{ name: 'webtest', ...metric }], ...more },
});
const web = (path = ''): object => ({
  successCondition: 'asInt(result) < 30',
  provider: { web: { jsonPath: '{$.age}', url: `${service.url}${path}` } },
});

test('the template of the document is applied as it is, and found valid', async () => {
  expect(await apply(template)).toBe('hooktemplate.tkex.tencent.com/test created\n');
  await kubectl.run(['wait', '--for=condition=Valid', 'hooktemplate/test', '--timeout=300s']);
  expect(await kubectl.run(['get', 'hooktemplate'])).toMatch(/^NAME +VALID +AGE\ntest +True +\d+s\n$/);
});

test.for([
  ['no metrics', 'metrics:', 'metricks:', /spec\.metrics|metricks/],
  ['an interval that is none', 'interval: 60s', 'interval: soon', /spec\.metrics\[0\]\.interval/],
  [
    'a count without an interval',
    '    interval: 60s\n',
    '',
    /spec\.metrics\[0\].*a count of more than 1 needs an interval/,
  ],
  ['a negative limit', 'failureLimit: 0', 'failureLimit: -1', /spec\.metrics\[0\]\.failureLimit/],
  ['a field that does not exist', 'jsonPath:', 'jsonpath:', /spec\.metrics\[0\]\.provider\.web\.jsonpath/],
  [
    'two providers',
    '      web:',
    '      prometheus: {address: "http://p", query: up}\n      web:',
    /exactly one of web/,
  ],
  ['no provider', /web:[^]*$/, 'job: null\n', /provider/],
] as const)('a wrong template is refused, and the field named: %s', async ([, from, to, says]) => {
  await kubectl.refused(['apply', '-f', '-'], says, { stdin: template.replace(from, to) });
});

test('the run of the document ends as it shows, and kubectl can wait for it', async () => {
  expect(await apply(run('a3', web()))).toBe('hookrun.tkex.tencent.com/a3 created\n');
  await kubectl.run(['wait', '--for=condition=Complete', 'hookrun/a3', '--timeout=300s']);
  await kubectl.run(['wait', '--for=condition=Failed', 'hookrun/a3', '--timeout=300s']);
  expect(await kubectl.run(['get', 'hookrun', 'a3'])).toMatch(/^NAME +PHASE +AGE\na3 +Failed +\d+s\n$/);
  expect(await kubectl.run(['get', 'hookrun', 'a3', '-o', 'wide'])).toMatch(
    /^NAME +PHASE +AGE +METRICS +MESSAGE\na3 +Failed +\d+s +webtest Failed 1\/1 +metric webtest is Failed: .*32/,
  );
  expect(await kubectl.json(['get', 'hookrun', 'a3'])).toMatchObject({
    status: {
      phase: 'Failed',
      metricResults: [
        {
          name: 'webtest',
          phase: 'Failed',
          count: 1,
          failed: 1,
          measurements: [{ phase: 'Failed', value: '32' }],
        },
      ],
    },
  });
  // Events are sent when the status is written.
  const about = '--field-selector=involvedObject.name=a3';
  await using events = kubectl.follow(['get', 'events', about, '--watch']);
  await events.lineLike(/Warning +Failed +hookrun\/a3 +Metric webtest ended Failed/);
});

test('the number of calls follows from count and interval', async () => {
  service.answer = { age: 20 };
  await apply(run('twice', { ...web('/twice'), count: 2, interval: '300ms' }));
  await apply(run('endless', { ...web('/endless'), interval: '300ms' }));
  await apply(run('wrong', { ...web('/wrong'), count: 2 }));
  await kubectl.run(['wait', '--for=condition=Complete', 'hookrun/twice', 'hookrun/wrong', '--timeout=300s']);
  await expect.poll(() => service.asked.filter((path) => path === '/endless').length).toBeGreaterThan(2);
  const phases = ['-o', 'jsonpath={.items[*].status.phase}'];
  expect(await kubectl.run(['get', 'hookrun', 'twice', 'endless', 'wrong', ...phases])).toBe(
    'Successful Running Error',
  );
  expect(service.asked.filter((path) => path === '/twice')).toHaveLength(2);
  expect(service.asked).not.toContain('/wrong');
  await kubectl.run(['patch', 'hookrun', 'endless', '--type=merge', '-p', '{"spec":{"terminate":true}}']);
  await kubectl.run(['wait', '--for=condition=Complete', 'hookrun/endless', '--timeout=300s']);
  expect(await kubectl.run(['get', 'hookrun', 'endless', '-o', 'jsonpath={.status.phase}'])).toBe(
    'Successful',
  );
});

test('arguments are filled into the address', async () => {
  const { port } = new URL(service.url);
  const metric = {
    provider: { web: { url: `http://{{ args.PodIP }}:${port}/{{args.who}}`, jsonPath: '{$.age}' } },
  };
  const args = [
    { name: 'PodIP', value: '127.0.0.1' },
    { name: 'who', value: 'a b/c' },
  ];
  await apply(run('filled', metric, { args }));
  await kubectl.run(['wait', '--for=condition=Complete', 'hookrun/filled', '--timeout=300s']);
  expect(service.asked).toContain('/a%20b/c');
});

test('Prometheus is queried, and its numbers are judged', async () => {
  await using prometheus = await startPrometheus('error_ratio{app="x"} 0.25\n');
  const metric = (limit: number): object => ({
    successCondition: `result[0] < ${limit}`,
    provider: { prometheus: { address: prometheus.address, query: 'error_ratio{app="{{ args.app }}"}' } },
  });
  const args = [{ name: 'app', value: 'x' }];
  await apply(run('ratio-good', metric(0.5), { args }));
  await apply(run('ratio-bad', metric(0.1), { args }));
  await kubectl.run([
    'wait',
    '--for=condition=Complete',
    'hookrun/ratio-good',
    'hookrun/ratio-bad',
    '--timeout=300s',
  ]);
  const phases = ['-o', 'jsonpath={.items[*].status.phase}'];
  expect(await kubectl.run(['get', 'hookrun', 'ratio-good', 'ratio-bad', ...phases])).toBe(
    'Successful Failed',
  );
});

test('a hook may not call what the policy denies', async () => {
  await using strict = await startBoathook({ flags: ['--outgoing-deny', '127.0.0.0/8,10.1.2.3'] });
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  const there = openTerminal(newest, strict, 'default');
  const denied = run('denied', { ...web('/denied'), consecutiveErrorLimit: 0 });
  await there.run(['apply', '-f', '-'], { stdin: stringify(denied) });
  await there.run(['wait', '--for=condition=Complete', 'hookrun/denied', '--timeout=300s']);
  expect(
    await there.run(['get', 'hookrun', 'denied', '-o', 'jsonpath={.status.phase} {.status.message}']),
  ).toMatch(/^Error .*polic/);
  expect(service.asked).not.toContain('/denied');
});
