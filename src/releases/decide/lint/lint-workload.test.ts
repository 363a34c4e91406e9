import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { lintWorkload } from './lint-workload.ts';

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'a:1' }] } };

/** Null: the manifest does not have the field. */
const workload = (spec: JsonObject, kind = 'GameDeployment'): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind,
  metadata: { name: 'shop', namespace: 'games' },
  spec: withoutNull({
    replicas: 4,
    selector: { matchLabels: { app: 'x' } },
    template,
    ...(kind === 'GameStatefulSet' ? { serviceName: 'shop' } : {}),
    ...spec,
  }),
});

const withoutNull = (spec: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));

const inSteps = (steps: Json, more: JsonObject = {}): JsonObject => ({
  updateStrategy: { canary: { steps }, ...more },
});

const hookTemplate = (metric: JsonObject = {}, more: JsonObject = {}, name = 'smoke'): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name, namespace: 'games' },
  spec: {
    metrics: [
      {
        name: 'age',
        successCondition: 'asInt(result) < 30',
        provider: { web: { url: 'http://127.0.0.1:9091', jsonPath: '{$.age}' } },
        ...metric,
      },
    ],
    ...more,
  },
});

const hook = (more: JsonObject = {}): JsonObject => ({ hook: { templateName: 'smoke', ...more } });

/** `severity rule path` of each finding. */
function lint(document: JsonObject, ...others: readonly JsonObject[]): readonly string[] {
  const { findings } = lintWorkload(document, [document, ...others]);
  return findings.map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
}

const steps = 'spec.updateStrategy.canary.steps';

type Case = {
  readonly name: string;
  readonly bad: JsonObject;
  readonly found: string;
  /** The same without the mistake. */
  readonly good: JsonObject;
  readonly kind?: string;
  readonly others?: readonly JsonObject[];
  readonly goodOthers?: readonly JsonObject[];
};

const cases: readonly Case[] = [
  {
    name: 'a field that does not exist',
    bad: { replica: 3 },
    found: 'error unknown-field spec.replica',
    good: { replicas: 3 },
  },
  {
    name: 'a value that is not allowed',
    bad: { updateStrategy: { type: 'InPlaceUpdate' } },
    found: 'error schema spec.updateStrategy.type',
    good: { updateStrategy: { type: 'InplaceUpdate' } },
  },
  {
    name: 'a selector that no pod matches',
    bad: { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['other'] }] } },
    found: 'error selector spec.selector',
    good: { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] } },
  },
  {
    name: 'pods without a container',
    bad: { template: { metadata: template.metadata, spec: {} } },
    found: 'error containers spec.template.spec.containers',
    good: { template },
  },
  {
    name: 'a container without an image',
    bad: { template: { metadata: template.metadata, spec: { containers: [{ name: 'c' }] } } },
    found: 'error containers spec.template.spec.containers[0]',
    good: { template },
  },
  {
    name: 'a step without a field',
    bad: inSteps([{}, { partition: 0 }]),
    found: `error schema ${steps}[0]`,
    good: inSteps([{ partition: 0 }]),
  },
  {
    name: 'a step with two fields',
    bad: inSteps([{ partition: 3, pause: {} }, { partition: 0 }]),
    found: `error schema ${steps}[0]`,
    good: inSteps([{ partition: 3 }, { pause: {} }]),
  },
  {
    name: 'no steps',
    bad: inSteps([]),
    found: `warning no-steps ${steps}`,
    good: {},
  },
  {
    name: 'a partition that rises',
    bad: inSteps([{ partition: 1 }, { partition: 3 }, { pause: {} }]),
    found: `warning partition-rises ${steps}[1].partition`,
    good: inSteps([{ partition: 3 }, { partition: 1 }, { pause: {} }]),
  },
  {
    name: 'a percentage that rises, of an unknown number',
    bad: { replicas: null, ...inSteps([{ partition: '25%' }, { partition: '50%' }, { pause: {} }]) },
    found: `warning partition-rises ${steps}[1].partition`,
    good: { replicas: null, ...inSteps([{ partition: '50%' }, { partition: 3 }, { pause: {} }]) },
  },
  {
    name: 'a partition that changes nothing',
    bad: inSteps([{ partition: 2 }, { partition: '50%' }, { pause: {} }]),
    found: `warning partition-same ${steps}[1].partition`,
    good: inSteps([{ partition: 2 }, { partition: '25%' }, { pause: {} }]),
  },
  {
    name: 'a partition of all replicas',
    bad: inSteps([{ partition: 5 }, { pause: {} }]),
    found: `warning partition-all ${steps}[0].partition`,
    good: inSteps([{ partition: 3 }, { pause: {} }]),
  },
  {
    name: 'a last step that keeps pods only for a moment',
    bad: inSteps([{ partition: 3 }, { pause: {} }, { partition: 1 }]),
    found: `warning last-partition ${steps}[2].partition`,
    good: inSteps([{ partition: 3 }, { pause: {} }, { partition: 1 }, { pause: {} }]),
  },
  {
    name: 'a pause when all pods are updated',
    bad: inSteps([{ partition: 0 }, { pause: {} }]),
    found: `warning step-after-all ${steps}[1].pause`,
    good: inSteps([{ pause: {} }, { partition: 0 }]),
  },
  {
    name: 'a hook when all pods are updated',
    bad: inSteps([{ partition: 0 }, hook()]),
    found: `warning step-after-all ${steps}[1].hook`,
    good: inSteps([{ partition: 0 }, hook({ onFailure: 'Abort' })]),
    others: [hookTemplate()],
  },
  {
    name: 'a hook before any pod is updated',
    bad: inSteps([hook(), { partition: 0 }]),
    found: `warning hook-before-update ${steps}[0].hook`,
    good: inSteps([{ partition: 3 }, hook()]),
    others: [hookTemplate()],
  },
  {
    name: 'a pause of no time',
    bad: inSteps([{ partition: 3 }, { pause: { duration: '0s' } }]),
    found: `warning pause-zero ${steps}[1].pause.duration`,
    good: inSteps([{ partition: 3 }, { pause: { duration: '1s' } }]),
  },
  {
    name: 'a canary that takes nine hours',
    bad: inSteps([{ partition: 3 }, { pause: { duration: 32_400 } }]),
    found: `warning slow-canary ${steps}`,
    good: inSteps([{ partition: 3 }, { pause: { duration: '90m' } }]),
  },
  {
    name: 'paused: false',
    bad: inSteps([{ partition: 3 }, { pause: {} }], { paused: false }),
    found: 'warning paused-false spec.updateStrategy.paused',
    good: inSteps([{ partition: 3 }, { pause: {} }], { paused: false, resumePolicy: 'Approval' }),
  },
  {
    name: 'paused: true',
    bad: { updateStrategy: { paused: true } },
    found: 'warning paused-true spec.updateStrategy.paused',
    good: { updateStrategy: { paused: false } },
  },
  {
    name: 'steps that wait for deletions',
    bad: inSteps([{ partition: 3 }, { pause: {} }], { type: 'OnDelete' }),
    found: 'warning on-delete-steps spec.updateStrategy.type',
    good: { updateStrategy: { type: 'OnDelete' } },
  },
  {
    name: 'a partition beside steps',
    bad: inSteps([{ partition: 3 }, { pause: {} }], { partition: 2 }),
    found: 'warning partition-ignored spec.updateStrategy.partition',
    good: { updateStrategy: { partition: 2 } },
  },
  {
    name: 'neither unavailable pods nor a surge',
    bad: { updateStrategy: { maxUnavailable: 0, maxSurge: 0 } },
    found: 'error schema spec.updateStrategy',
    good: { updateStrategy: { maxUnavailable: 0, maxSurge: 1 } },
  },
  {
    name: 'a surge that does not count',
    kind: 'GameStatefulSet',
    bad: { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } },
    found: 'error no-update-possible spec.updateStrategy.rollingUpdate.maxUnavailable',
    good: {
      podManagementPolicy: 'Parallel',
      updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    },
  },
  {
    name: 'a hook for every deletion, without a deadline',
    bad: { preDeleteUpdateStrategy: { enforce: 'Always', ...hook() } },
    found: 'warning enforce-without-deadline spec.preDeleteUpdateStrategy.enforce',
    good: { preDeleteUpdateStrategy: { enforce: 'Always', deadlineSeconds: 60, ...hook() } },
    others: [hookTemplate()],
  },
  {
    name: 'pods that are available after the deadline',
    bad: { minReadySeconds: 600 },
    found: 'warning deadline-too-short spec.minReadySeconds',
    good: { minReadySeconds: 600, progressDeadlineSeconds: 1200 },
  },
  {
    name: 'a HookTemplate that no file has',
    bad: inSteps([{ partition: 3 }, hook()]),
    found: `warning template-unchecked ${steps}[1].hook.templateName`,
    good: inSteps([{ partition: 3 }, hook()]),
    goodOthers: [hookTemplate()],
  },
  {
    name: 'a HookTemplate that is not among those of the files',
    bad: inSteps([{ partition: 3 }, hook({ templateName: 'smok' })]),
    found: `error template-missing ${steps}[1].hook.templateName`,
    good: inSteps([{ partition: 3 }, hook()]),
    others: [hookTemplate()],
  },
  {
    name: 'a HookTemplate that its schema refuses',
    bad: inSteps([{ partition: 3 }, hook()]),
    found: `error template-invalid ${steps}[1].hook.templateName`,
    good: inSteps([{ partition: 3 }, hook()]),
    others: [hookTemplate({ interval: 'soon' })],
    goodOthers: [hookTemplate()],
  },
  {
    name: 'a HookTemplate that no run can work with',
    bad: inSteps([{ partition: 3 }, hook()]),
    found: `error template-invalid ${steps}[1].hook`,
    good: inSteps([{ partition: 3 }, hook()]),
    others: [hookTemplate({ successCondition: 'result <' })],
    goodOthers: [hookTemplate()],
  },
  {
    name: 'an argument without a value',
    bad: inSteps([{ partition: 3 }, hook()]),
    found: `error arg-missing ${steps}[1].hook`,
    good: inSteps([{ partition: 3 }, hook({ args: [{ name: 'zone', value: 'a' }] })]),
    others: [hookTemplate({}, { args: [{ name: 'zone' }] })],
  },
  {
    name: 'an argument that the template does not have',
    bad: inSteps([{ partition: 3 }, hook({ args: [{ name: 'zoen', value: 'a' }] })]),
    found: `warning arg-undeclared ${steps}[1].hook.args[0]`,
    good: inSteps([{ partition: 3 }, hook({ args: [{ name: 'zone', value: 'a' }] })]),
    others: [hookTemplate({}, { args: [{ name: 'zone', value: 'b' }] })],
  },
  {
    name: 'a hook that tolerates every failure',
    bad: inSteps([{ partition: 3 }, hook()]),
    found: `warning hook-never-fails ${steps}[1].hook.templateName`,
    good: inSteps([{ partition: 3 }, hook()]),
    others: [hookTemplate({ count: 3, interval: '1s', failureLimit: 3 })],
    goodOthers: [hookTemplate({ count: 3, interval: '1s', failureLimit: 2 })],
  },
  {
    name: 'a hook without a condition',
    bad: inSteps([{ partition: 3 }, hook()]),
    found: `warning hook-never-fails ${steps}[1].hook.templateName`,
    // The hook of a pod may only act.
    good: { preDeleteUpdateStrategy: hook() },
    others: [hookTemplate({ successCondition: '' })],
  },
  {
    name: 'a hook that never ends',
    bad: inSteps([{ partition: 3 }, hook()]),
    found: `error hook-never-ends ${steps}[1].hook.templateName`,
    good: inSteps([{ partition: 3 }, hook()]),
    others: [hookTemplate({ interval: '10s' })],
    goodOthers: [hookTemplate({ interval: '10s', consecutiveSuccessfulLimit: 3 })],
  },
  {
    name: 'a hook that takes longer than the progress deadline',
    bad: inSteps([{ partition: 3 }, hook()]),
    found: `warning deadline-too-short ${steps}[1].hook.templateName`,
    good: { ...inSteps([{ partition: 3 }, hook()]), progressDeadlineSeconds: 700 },
    others: [hookTemplate({ count: 11, interval: '1m' })],
  },
];

test.for(cases)('$name', ({ bad, good, found, kind, others = [], goodOthers = others }) => {
  expect(lint(workload(bad, kind), ...others)).toEqual([found]);
  expect(lint(workload(good, kind), ...goodOthers)).toEqual([]);
});

test('a workload without a name', () => {
  const { metadata: _named, ...nameless } = workload({});
  expect(lint(nameless)).toEqual(['error name metadata.name']);
  expect(lint({ ...nameless, metadata: { generateName: 'shop-' } })).toEqual([]);
});

test('a name, a word and a field that are near', () => {
  const remedies = (spec: JsonObject): readonly (string | undefined)[] =>
    lintWorkload(workload(spec), [hookTemplate()]).findings.map(({ remedy }) => remedy);
  expect(remedies({ replica: 3 })).toEqual(['did you mean replicas?']);
  expect(remedies({ updateStrategy: { type: 'onDelete' } })).toEqual(['did you mean OnDelete?']);
  expect(remedies(inSteps([{ partition: 3 }, hook({ templateName: 'smokee' })]))).toEqual([
    'did you mean smoke?',
  ]);
});

test('steps without exactly one field are found beside other errors', () => {
  const bad = inSteps([{ partition: 3, pause: {} }, {}], { type: 'Rolling' });
  expect(lint(workload(bad))).toEqual([
    'error schema spec.updateStrategy.type',
    `error step-fields ${steps}[0]`,
    `error step-fields ${steps}[1]`,
  ]);
});

test('templates of another namespace do not count, and those without one do', () => {
  const document = workload(inSteps([{ partition: 3 }, hook()]));
  const other: JsonObject = { ...hookTemplate(), metadata: { name: 'smoke', namespace: 'elsewhere' } };
  const anywhere: JsonObject = { ...hookTemplate(), metadata: { name: 'smoke' } };
  expect(lint(document, other)).toEqual([`warning template-unchecked ${steps}[1].hook.templateName`]);
  expect(lint(document, anywhere)).toEqual([]);
});

test('the least time of the steps', () => {
  const document = workload(inSteps([{ partition: 3 }, { pause: { duration: '5m' } }, hook()]));
  const ordered = hookTemplate({ count: 3, interval: '30s', initialDelay: '10s' }, { policy: 'Ordered' });
  expect(lintWorkload(document, [ordered]).stepsTake).toBe((300 + 10 + 60) * 1000);
});
