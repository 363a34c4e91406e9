import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { replicaSetRules, replicationControllerRules } from './replica-set.ts';
import { container, created, refusals, selector, template } from './testing/check.ts';

const set = (spec: JsonObject): JsonObject => ({ spec: { selector, template: template(), ...spec } });
const mismatch =
  'spec.template.metadata.labels: Invalid value: map[string]string{"app":"d"}: `selector` does not match template `labels`';

test('defaults and status', () => {
  const made = created(replicaSetRules, set({}));
  expect(made).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 0 } });
});

test.for<readonly [what: string, spec: JsonObject, complaints: readonly string[]]>([
  ['right', {}, []],
  ['another selector', { selector: { matchLabels: { other: 'x' } } }, [mismatch]],
  [
    'negative',
    { replicas: -1, minReadySeconds: -1 },
    [
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'pods that end',
    { template: template({ restartPolicy: 'Never' }) },
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
])('%s', ([, spec, complaints]) => {
  expect(refusals(replicaSetRules, set(spec))).toEqual(complaints);
});

test('a replication controller takes selector and labels from its template', () => {
  const controller = { spec: { template: template() } };
  expect(created(replicationControllerRules, controller)).toMatchObject({
    metadata: { labels: { app: 'd' } },
    spec: { selector: { app: 'd' }, replicas: 1 },
  });
  expect(refusals(replicationControllerRules, controller)).toEqual([]);
});

test('a replication controller must select its pods', () => {
  const other = { spec: { template: template(), selector: { x: 'y' } } };
  expect(refusals(replicationControllerRules, other)).toEqual([mismatch]);
  const nothing = { spec: { template: { spec: { containers: [container] } } } };
  expect(refusals(replicationControllerRules, nothing)).toEqual(['spec.selector: Required value']);
});
