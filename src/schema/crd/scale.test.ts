import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { statusOf, type ApiError } from '#kube/status.ts';
import { readScale, scaleToChange, validateScaleSpec, validateScaleStatus, writeScale } from './scale.ts';

const paths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const object: JsonObject = {
  apiVersion: 'g.io/v1',
  kind: 'Widget',
  metadata: {
    name: 'a',
    namespace: 'n',
    uid: 'u',
    resourceVersion: '7',
    creationTimestamp: 't',
    labels: { l: 'v' },
  },
  spec: { replicas: 2, other: 1 },
};
const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: 't' };

function refusal(act: () => unknown): JsonObject {
  try {
    act();
  } catch (error) {
    return statusOf(error as ApiError);
  }
  throw new Error('it was not refused');
}

test('reads replicas and, when there is one, the selector', () => {
  const scale = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata, spec: { replicas: 2 } };
  expect(readScale(object, paths)).toEqual({ ...scale, status: { replicas: 0 } });
  const status = { replicas: 1, selector: 'a=b' };
  expect(readScale({ ...object, status }, paths)).toEqual({ ...scale, status });
});

test('an object without replicas has no scale to read, but one to change', () => {
  const none = { ...object, spec: {} };
  expect(refusal(() => readScale(none, paths))).toMatchObject({
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    details: { causes: [{ message: 'the spec replicas field ".spec.replicas" does not exist' }] },
  });
  expect(scaleToChange(none, paths)['spec']).toEqual({});
  expect(refusal(() => writeScale(none, paths, { spec: {} }))['message']).toBe(
    'the spec replicas field ".spec.replicas" cannot be empty',
  );
});

test('writes replicas and nothing else, with the precondition of the scale', () => {
  expect(writeScale(object, paths, { spec: { replicas: 5 } })).toEqual({
    ...object,
    spec: { replicas: 5, other: 1 },
  });
  const stale = writeScale(object, paths, { metadata: { resourceVersion: '3' }, spec: { replicas: 5 } });
  expect(stale['metadata']).toMatchObject({ resourceVersion: '3', labels: { l: 'v' } });
  expect(writeScale({}, paths, { spec: { replicas: 1 } })).toEqual({ spec: { replicas: 1 } });
});

test.for<[JsonObject, readonly string[]]>([
  [{ spec: { replicas: 0 } }, []],
  [{}, []],
  [{ spec: { replicas: -1 } }, ['.spec.replicas: Invalid value: -1: should be a non-negative integer']],
  [
    { spec: { replicas: 2 ** 31 } },
    ['.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647'],
  ],
  [
    { spec: { replicas: 'x' } },
    [
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64',
    ],
  ],
  [
    { status: { selector: 5 } },
    [
      '.status.selector: Invalid value: "": .status.selector accessor error: 5 is of the type int64, expected string',
    ],
  ],
])('%j has scale errors %j', ([each, wanted]) => {
  expect(validateScaleSpec(each, paths).map(({ field, message }) => `${field}: ${message}`)).toEqual(wanted);
});

test('replicas in status are checked too', () => {
  expect(validateScaleStatus({ status: { replicas: -1 } }, paths)).toHaveLength(1);
  expect(validateScaleStatus({ status: { replicas: 1 } }, paths)).toEqual([]);
});
