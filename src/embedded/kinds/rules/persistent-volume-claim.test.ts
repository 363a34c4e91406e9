import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { specOf } from '#base/json-edit.ts';
import { persistentVolumeClaimRules } from './persistent-volume-claim.ts';
import { created, refusals, updateRefusals } from './testing/check.ts';

const rules = persistentVolumeClaimRules;
const storage = (amount: string): JsonObject => ({ resources: { requests: { storage: amount } } });
const claim = (spec: JsonObject = {}): JsonObject => ({
  spec: { accessModes: ['ReadWriteOnce'], ...storage('1Gi'), ...spec },
});

test('a claim is for a file system, pending and protected', () => {
  expect(created(rules, claim())).toMatchObject({
    metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
    spec: { volumeMode: 'Filesystem' },
    status: { phase: 'Pending' },
  });
});

test.for<readonly [what: string, spec: JsonObject, complaints: readonly string[]]>([
  ['right', {}, []],
  ['no mode', { accessModes: [] }, ['spec.accessModes: Required value: at least 1 access mode is required']],
  [
    'an unknown mode',
    { accessModes: ['X'] },
    [
      'spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
  ],
  [
    'a mode that stands alone',
    { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
    ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  ],
  ['no size', { resources: {} }, ['spec.resources[storage]: Required value']],
  ['no room', storage('0'), ['spec.resources[storage]: Invalid value: "0": must be greater than zero']],
  [
    'an unknown kind',
    { volumeMode: 'X' },
    ['spec.volumeMode: Unsupported value: "X": supported values: "Block", "Filesystem"'],
  ],
])('%s', ([, spec, complaints]) => {
  expect(refusals(rules, claim(spec))).toEqual(complaints);
});

const pending = created(rules, claim());
const bound = { ...pending, spec: { ...specOf(pending), volumeName: 'v' }, status: { phase: 'Bound' } };
const change = (spec: JsonObject, from: JsonObject): string[] =>
  updateRefusals(rules, { ...from, spec: { ...specOf(from), ...spec } }, from);
const immutable = expect.stringMatching(
  /^spec: Forbidden: spec is immutable after creation except resources\.requests and volumeAttributesClassName for bound claims\n/,
) as string;

test.for<readonly [what: string, spec: JsonObject, from: JsonObject, complaints: readonly string[]]>([
  ['modes', { accessModes: ['ReadWriteMany'] }, pending, [immutable]],
  ['a size before it is bound', storage('2Gi'), pending, [immutable]],
  ['a volume that binds it', { volumeName: 'v' }, pending, []],
  ['a size afterwards', storage('2Gi'), bound, []],
  [
    'less afterwards',
    storage('1Mi'),
    bound,
    ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
  ],
])('update of %s', ([, spec, from, complaints]) => {
  expect(change(spec, from)).toEqual(complaints);
});
