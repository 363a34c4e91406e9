import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { specOf } from '#base/json-edit.ts';
import { statefulSetRules } from './stateful-set.ts';
import { container, created, refusals, selector, template, texts, updateRefusals } from './testing/check.ts';

type Case = readonly [what: string, spec: JsonObject, complaints: readonly unknown[]];
const set = (spec: JsonObject): JsonObject => ({ spec: { selector, template: template(), ...spec } });
const claim = {
  metadata: { name: 'v' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

test('defaults, of claims too', () => {
  expect(created(statefulSetRules, set({ volumeClaimTemplates: [claim] }))).toMatchObject({
    spec: {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      volumeClaimTemplates: [
        {
          kind: 'PersistentVolumeClaim',
          apiVersion: 'v1',
          metadata: { name: 'v', creationTimestamp: null },
          spec: { ...claim.spec, volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      ],
    },
    status: { replicas: 0, availableReplicas: 0 },
  });
});

test.for<Case>([
  ['right', {}, []],
  ['OnDelete', { updateStrategy: { type: 'OnDelete' } }, []],
  [
    'mounts of claims',
    {
      template: template({ containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] }),
    },
    [],
  ],
  [
    'unknown policies',
    { podManagementPolicy: 'X', updateStrategy: { type: 'Y' } },
    [
      `spec.podManagementPolicy: Invalid value: "X": must be 'OrderedReady' or 'Parallel'`,
      expect.stringMatching(
        /^spec\.updateStrategy: Invalid value: .*: must be 'RollingUpdate' or 'OnDelete'$/,
      ),
    ],
  ],
  [
    'OnDelete that rolls',
    { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
    [
      `spec.updateStrategy.rollingUpdate: Invalid value: {"partition":1}: only allowed for updateStrategy 'RollingUpdate'`,
    ],
  ],
  [
    'a negative partition',
    { updateStrategy: { rollingUpdate: { partition: -1 } } },
    ['spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'none at a time',
    { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
    [
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: cannot be 0',
    ],
  ],
  [
    'an unknown retention',
    { persistentVolumeClaimRetentionPolicy: { whenScaled: 'X' } },
    [
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "X": supported values: "Retain", "Delete"',
    ],
  ],
  [
    'a negative ordinal',
    { ordinals: { start: -1 } },
    ['spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'pods that end',
    { template: template({ restartPolicy: 'Never' }) },
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
  [
    'another selector',
    { selector: { matchLabels: { other: 'x' } } },
    [
      'spec.template.metadata.labels: Invalid value: map[string]string{"app":"d"}: `selector` does not match template `labels`',
    ],
  ],
])('%s', ([, spec, complaints]) => {
  expect(refusals(statefulSetRules, set(spec))).toEqual(complaints);
});

const old = created(statefulSetRules, set({ serviceName: 'x', volumeClaimTemplates: [claim] }));
const onlyThose =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

test.for<Case>([
  ['replicas and readiness', { replicas: 3, minReadySeconds: 5 }, []],
  ['template', { template: template({ containers: [{ ...container, image: 'img:2' }] }) }, []],
  ['service', { serviceName: 'other' }, [onlyThose]],
  ['policy', { podManagementPolicy: 'Parallel' }, [onlyThose]],
  ['claims', { volumeClaimTemplates: [] }, [onlyThose]],
])('update of %s', ([, spec, complaints]) => {
  const changed = { ...old, spec: { ...specOf(old), ...spec } };
  expect(updateRefusals(statefulSetRules, changed, old)).toEqual(complaints);
});

test('the counts of its status', () => {
  const status = { replicas: 1, availableReplicas: 1 };
  expect(texts(statefulSetRules.validateStatusUpdate?.({ status }, {}) ?? [])).toEqual([
    'status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas',
  ]);
});

test('names are labels, because pods are named after them', () => {
  expect(statefulSetRules.nameRule).toBe('label');
});
