import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { specOf } from '#base/json-edit.ts';
import { jobRules } from './job.ts';
import { container, created, meta, refusals, updateRefusals } from './testing/check.ts';

type Case = readonly [what: string, spec: JsonObject, complaints: readonly unknown[]];
const job = (spec: JsonObject = {}): JsonObject => ({
  spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } }, ...spec },
});
const uid = meta['uid'] as string;
const labels = {
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': 'x',
  'controller-uid': uid,
  'job-name': 'x',
};

test('defaults, selector and labels', () => {
  expect(created(jobRules, job())).toMatchObject({
    metadata: { labels },
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      manualSelector: false,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      template: { metadata: { creationTimestamp: null, labels } },
    },
    status: {},
  });
});

test.for<readonly [spec: JsonObject, expected: JsonObject]>([
  [{ completions: 2 }, { parallelism: 1, completions: 2 }],
  [{ backoffLimitPerIndex: 1 }, { backoffLimit: 2_147_483_647 }],
  [{ podFailurePolicy: { rules: [] } }, { podReplacementPolicy: 'Failed' }],
])('%j', ([spec, expected]) => {
  expect(specOf(created(jobRules, job(spec)))).toMatchObject(expected);
});

test('a job with parallelism alone has no completions', () => {
  expect(specOf(created(jobRules, job({ parallelism: 2 })))['completions']).toBeUndefined();
});

test('own labels stay one’s own, a manual selector is left alone', () => {
  const own = created(jobRules, { ...job(), metadata: { labels: { a: 'b' } } });
  expect(own['metadata']).toMatchObject({ labels: { a: 'b' } });
  const manual = created(jobRules, job({ manualSelector: true, selector: { matchLabels: { a: 'b' } } }));
  expect(specOf(manual)['selector']).toEqual({ matchLabels: { a: 'b' } });
});

test.for<Case>([
  ['right', {}, []],
  [
    'pods that are always restarted',
    { template: { spec: { containers: [container] } } },
    ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  [
    'negative',
    { parallelism: -1, backoffLimit: -1 },
    [
      'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'an index without end',
    { completionMode: 'Indexed', parallelism: 1 },
    ['spec.completions: Required value: when completion mode is Indexed'],
  ],
  [
    'an unknown mode',
    { completionMode: 'X' },
    ['spec.completionMode: Unsupported value: "X": supported values: "NonIndexed", "Indexed"'],
  ],
])('%s', ([, spec, complaints]) => {
  expect(refusals(jobRules, job(spec))).toEqual(complaints);
});

const old = created(jobRules, job());
const change = (spec: JsonObject, from = old): string[] =>
  updateRefusals(jobRules, { ...from, spec: { ...specOf(from), ...spec } }, from);
const templateOf = (from: JsonObject): JsonObject => specOf(from)['template'] as JsonObject;

test.for<Case>([
  ['parallelism and retries', { parallelism: 3, backoffLimit: 1 }, []],
  ['completions', { completions: 5 }, ['spec.completions: Invalid value: 5: field is immutable']],
  [
    'mode',
    { completionMode: 'Indexed' },
    ['spec.completionMode: Invalid value: "Indexed": field is immutable'],
  ],
  [
    'template',
    { template: { ...templateOf(old), spec: { restartPolicy: 'OnFailure', containers: [container] } } },
    [expect.stringMatching(/^spec\.template: Invalid value: .*: field is immutable$/s)],
  ],
])('update of %s', ([, spec, complaints]) => {
  expect(change(spec)).toEqual(complaints);
});

test('a job without its selector complains as often as a server does', () => {
  const { selector: _gone, ...spec } = specOf(old);
  expect(updateRefusals(jobRules, { ...old, spec }, old).map((each) => each.split(':')[0])).toEqual([
    'spec.selector',
    'spec.template.metadata.labels',
    'spec.selector',
    'spec.template.metadata.labels',
    'spec.selector',
  ]);
});

test('an indexed job may be resized', () => {
  const indexed = created(jobRules, job({ completionMode: 'Indexed', completions: 2, parallelism: 2 }));
  expect(change({ completions: 3, parallelism: 3 }, indexed)).toEqual([]);
  expect(change({ completions: 3 }, indexed)).toHaveLength(1);
});

test('a suspended job may be moved', () => {
  const asleep = created(jobRules, job({ suspend: true }));
  const moved = (from: JsonObject): JsonObject => {
    const given = templateOf(from);
    return { template: { ...given, spec: { ...specOf(given), nodeSelector: { a: 'b' } } } };
  };
  expect(change(moved(asleep), asleep)).toEqual([]);
  expect(change(moved(old))).toHaveLength(1);
});
