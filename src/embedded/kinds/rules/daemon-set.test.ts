import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { daemonSetRules } from './daemon-set.ts';
import { specOf } from '#base/json-edit.ts';
import { created, refusals, selector, template, texts } from './testing/check.ts';

const set = (spec: JsonObject): JsonObject => ({ spec: { selector, template: template(), ...spec } });

test('defaults, and the old count of templates', () => {
  expect(created(daemonSetRules, set({}))).toMatchObject({
    metadata: { annotations: { 'deprecated.daemonset.template.generation': '1' } },
    spec: {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      revisionHistoryLimit: 10,
    },
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  });
});

test('a new template counts', () => {
  const old = created(daemonSetRules, set({}));
  const metaAfter = (spec: JsonObject): unknown =>
    daemonSetRules.prepareUpdate?.({ ...old, spec: { ...specOf(old), ...spec } }, old)['metadata'];
  expect(metaAfter({ minReadySeconds: 1 })).toEqual(old['metadata']);
  expect(metaAfter({ template: template() })).toMatchObject({
    annotations: { 'deprecated.daemonset.template.generation': '2' },
  });
});

test.for<readonly [what: string, spec: JsonObject, complaints: readonly string[]]>([
  ['right', {}, []],
  [
    'no selector',
    { selector: null },
    [
      'spec.template.metadata.labels: Invalid value: map[string]string{"app":"d"}: `selector` does not match template `labels`',
    ],
  ],
  [
    'an unknown strategy',
    { updateStrategy: { type: 'X' } },
    ['spec.updateStrategy: Unsupported value: {"type":"X"}: supported values: "RollingUpdate", "OnDelete"'],
  ],
  [
    'surge and unavailable',
    { updateStrategy: { rollingUpdate: { maxSurge: 1 } } },
    [
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: intstr.IntOrString{Type:0, IntVal:1, StrVal:""}: may not be set when maxUnavailable is non-zero',
    ],
  ],
  [
    'neither',
    { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
    ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
  ],
  [
    'pods that end',
    { template: template({ restartPolicy: 'Never' }) },
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
])('%s', ([, spec, complaints]) => {
  expect(refusals(daemonSetRules, set(spec))).toEqual(complaints);
});

test('no negative counts', () => {
  expect(texts(daemonSetRules.validateStatusUpdate?.({ status: { numberReady: -1 } }, {}) ?? [])).toEqual([
    'status.numberReady: Invalid value: -1: must be greater than or equal to 0',
  ]);
});
