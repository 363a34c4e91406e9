import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { cronJobRules } from './cron-job.ts';
import { specOf } from '#base/json-edit.ts';
import { container, created, refusals } from './testing/check.ts';

const cron = (spec: JsonObject = {}, name = 'x'): JsonObject => ({
  metadata: { name },
  spec: {
    schedule: '*/5 * * * *',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    ...spec,
  },
});

test('defaults', () => {
  expect(specOf(created(cronJobRules, cron()))).toMatchObject({
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    jobTemplate: {
      metadata: { creationTimestamp: null },
      spec: { template: { metadata: { creationTimestamp: null }, spec: { dnsPolicy: 'ClusterFirst' } } },
    },
  });
});

test.for<readonly [what: string, spec: JsonObject, complaints: readonly string[]]>([
  ['right', {}, []],
  ['a word', { schedule: '@daily' }, []],
  ['no schedule', { schedule: '' }, ['spec.schedule: Required value']],
  [
    'another schedule',
    { schedule: 'often' },
    ['spec.schedule: Invalid value: "often": expected exactly 5 fields, found 1: [often]'],
  ],
  [
    'an unknown word',
    { schedule: '@often' },
    ['spec.schedule: Invalid value: "@often": unrecognized descriptor: @often'],
  ],
  [
    'an unknown policy',
    { concurrencyPolicy: 'X' },
    ['spec.concurrencyPolicy: Unsupported value: "X": supported values: "Allow", "Forbid", "Replace"'],
  ],
  [
    'negative limits',
    { failedJobsHistoryLimit: -1 },
    ['spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'a job that never ends',
    { jobTemplate: { spec: { template: { spec: { containers: [container] } } } } },
    ['spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
])('%s', ([, spec, complaints]) => {
  expect(refusals(cronJobRules, cron(spec))).toEqual(complaints);
});

test('the name leaves room for the time', () => {
  const name = 'x'.repeat(53);
  expect(refusals(cronJobRules, cron({}, name))).toEqual([
    `metadata.name: Invalid value: "${name}": must be no more than 52 characters`,
  ]);
});
