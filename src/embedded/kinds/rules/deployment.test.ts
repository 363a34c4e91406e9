import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { deploymentRules } from './deployment.ts';
import { specOf } from '#base/json-edit.ts';
import { created, meta, refusals, selector, template, texts, updateRefusals } from './testing/check.ts';

const deployment = (spec: JsonObject): JsonObject => ({ spec: { selector, template: template(), ...spec } });
const mismatch =
  'spec.template.metadata.labels: Invalid value: map[string]string{"app":"d"}: `selector` does not match template `labels`';

test('defaults', () => {
  expect(specOf(created(deploymentRules, deployment({})))).toMatchObject({
    replicas: 1,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    template: { metadata: { creationTimestamp: null }, spec: { restartPolicy: 'Always' } },
  });
});

test('Recreate has no rolling update, a given surge is kept', () => {
  const strategyOf = (strategy: JsonObject): unknown =>
    specOf(created(deploymentRules, deployment({ strategy })))['strategy'];
  expect(strategyOf({ type: 'Recreate' })).toEqual({ type: 'Recreate' });
  expect(strategyOf({ rollingUpdate: { maxSurge: 2 } })).toEqual({
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: '25%', maxSurge: 2 },
  });
});

test.for<readonly [what: string, spec: JsonObject, complaints: readonly unknown[]]>([
  ['right', {}, []],
  ['another selector', { selector: { matchLabels: { other: 'x' } } }, [mismatch]],
  [
    'an empty selector',
    { selector: {} },
    [
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for deployment',
    ],
  ],
  ['no selector', { selector: null }, ['spec.selector: Required value', mismatch]],
  [
    'a selector without values',
    { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
    [
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"a", Operator:"In", Values:[]string(nil)}}}: invalid label selector',
    ],
  ],
  [
    'a selector with values it cannot use',
    { selector: { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['x'] }] } },
    [
      "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ],
  [
    'fewer than none',
    { replicas: -1 },
    ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'an unknown strategy',
    { strategy: { type: 'Bogus' } },
    [
      expect.stringMatching(
        /^spec\.strategy: Unsupported value: .*: supported values: "Recreate", "RollingUpdate"$/,
      ),
    ],
  ],
  [
    'Recreate that rolls',
    { strategy: { type: 'Recreate', rollingUpdate: {} } },
    ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
  ],
  [
    'a rollout that cannot move',
    { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
    [
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: may not be 0 when `maxSurge` is 0',
    ],
  ],
  [
    'no percentage',
    { strategy: { rollingUpdate: { maxSurge: '150%x' } } },
    [
      expect.stringMatching(
        /^spec\.strategy\.rollingUpdate\.maxSurge: Invalid value: intstr\.IntOrString\{Type:1, IntVal:0, StrVal:"150%x"\}: a valid percent string/,
      ),
    ],
  ],
  [
    'more than all',
    { strategy: { rollingUpdate: { maxUnavailable: '150%' } } },
    [
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"150%"}: must not be greater than 100%',
    ],
  ],
  [
    'pods that end',
    { template: template({ restartPolicy: 'Never' }) },
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
  [
    'pods with a deadline',
    { template: template({ activeDeadlineSeconds: 1 }) },
    [
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
    ],
  ],
  [
    'ephemeral containers',
    { template: template({ ephemeralContainers: [{ name: 'e', image: 'e' }] }) },
    ['spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'],
  ],
  [
    'no time to progress',
    { minReadySeconds: 700, progressDeadlineSeconds: 600 },
    ['spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds'],
  ],
  [
    'a wrong template',
    { template: template({ containers: [] }) },
    ['spec.template.spec.containers: Required value'],
  ],
])('%s', ([, spec, complaints]) => {
  expect(refusals(deploymentRules, deployment(spec))).toEqual(complaints);
});

test('the selector is immutable', () => {
  const old = created(deploymentRules, deployment({}));
  const labels = { app: 'd', x: 'y' };
  const spec = { selector: { matchLabels: labels }, template: { ...template(), metadata: { labels } } };
  expect(updateRefusals(deploymentRules, { ...old, spec: { ...specOf(old), ...spec } }, old)).toEqual([
    'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"d", "x":"y"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
  ]);
});

test('/status keeps spec and labels but not annotations', () => {
  const old = created(deploymentRules, deployment({}));
  const changed = { ...meta, labels: { a: 'b' }, annotations: { c: 'd' } };
  const given = { metadata: changed, spec: {}, status: { replicas: 2 } };
  expect(deploymentRules.prepareStatusUpdate?.(given, old)).toEqual({
    metadata: { ...meta, annotations: { c: 'd' } },
    spec: old['spec'],
    status: { replicas: 2 },
  });
});

test.for<readonly [status: JsonObject, complaints: readonly string[]]>([
  [{ replicas: 2, readyReplicas: 2, availableReplicas: 2 }, []],
  [{ replicas: -1 }, ['status.replicas: Invalid value: -1: must be greater than or equal to 0']],
  [
    { replicas: 1, updatedReplicas: 2 },
    ['status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas'],
  ],
  [
    { replicas: 1, availableReplicas: 1 },
    ['status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas'],
  ],
])('status %j', ([status, complaints]) => {
  const found = texts(deploymentRules.validateStatusUpdate?.({ status }, {}) ?? []);
  expect(found.filter((each) => !each.includes('-1: cannot'))).toEqual(
    expect.arrayContaining([...complaints]),
  );
  expect(found.length > 0).toBe(complaints.length > 0);
});
