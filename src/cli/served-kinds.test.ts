import { expect, test } from 'vitest';
import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { gameDeployment } from '#releases/kinds/game-deployment.ts';
import { hookRun } from '#hooks/kinds/hook-run.ts';
import { crdOf } from '#schema/kind/crd.ts';
import { comparedKind, remedyOf, servedKinds } from './served-kinds.ts';

/** The definition of a kind, with the JSON below a path of it changed. */
const changed = (path: readonly (string | number)[], change: (json: Json) => Json): JsonObject =>
  within(crdOf(gameDeployment), path, change) as JsonObject;

function within(
  json: Json,
  [first, ...rest]: readonly (string | number)[],
  change: (json: Json) => Json,
): Json {
  if (first === undefined) return change(json);
  if (isArray(json)) return json.map((each, index) => (index === first ? within(each, rest, change) : each));
  const object = isObject(json) ? json : {};
  return { ...object, [first]: within(object[first] ?? null, rest, change) };
}

const version = ['spec', 'versions', 0] as const;
const properties = [...version, 'schema', 'openAPIV3Schema', 'properties'] as const;
const without =
  (name: string) =>
  (json: Json): Json => {
    const { [name]: _gone, ...rest } = isObject(json) ? json : {};
    return rest;
  };

test.for<[string, JsonObject, object]>([
  ['the definition of this version', crdOf(gameDeployment), { state: 'Served', missingFields: [] }],
  [
    'a definition without a field',
    changed([...properties, 'spec', 'properties'], without('updateStrategy')),
    { state: 'Older', missingFields: ['spec.updateStrategy'] },
  ],
  [
    'a definition with a further field',
    changed(properties, (json) => ({ ...(json as JsonObject), later: { type: 'string' } })),
    { state: 'Served', missingFields: [] },
  ],
  [
    'a definition that keeps unknown fields',
    changed([...properties, 'spec'], () => ({ 'x-kubernetes-preserve-unknown-fields': true })),
    { state: 'Served', missingFields: [] },
  ],
  [
    'another version',
    changed([...version, 'name'], () => 'v1alpha0'),
    { state: 'Older', served: ['v1alpha0'], missingFields: [] },
  ],
  [
    'a version that is not served',
    changed([...version, 'served'], () => false),
    { state: 'Older', served: [] },
  ],
])('%s', ([, definition, expected]) => {
  expect(comparedKind(gameDeployment, definition)).toMatchObject({
    name: 'gamedeployments.tkex.tencent.com',
    wanted: 'v1alpha1',
    ...expected,
  });
});

const refusing = (type: 'not-found' | 'forbidden'): Outcome => ({ type, code: 404, message: '', status: {} });
const serving = (...names: readonly string[]): Outcome => ({
  type: 'ok',
  object: { apiVersion: 'v1', kind: 'APIResourceList', resources: names.map((name) => ({ name })) },
});

test.for<[string, Outcome, Outcome, readonly string[]]>([
  ['no definitions', refusing('not-found'), serving('hookruns'), ['Missing', 'Missing']],
  ['no right to read definitions', refusing('forbidden'), serving('hookruns'), ['Missing', 'Served']],
  ['no right to read anything', refusing('forbidden'), refusing('forbidden'), ['Missing', 'Missing']],
])('%s', async ([, get, raw, states]) => {
  const client = { get: () => Promise.resolve(get), raw: () => Promise.resolve(raw) };
  const found = await servedKinds(client, [gameDeployment, hookRun], new AbortController().signal);
  expect(found.map(({ state }) => state)).toEqual(states);
});

test('the remedy names what is missing and what is older', () => {
  const served = comparedKind(gameDeployment, crdOf(gameDeployment));
  expect(remedyOf([served])).toBeUndefined();
  const kinds = [
    { ...served, name: 'a', state: 'Missing', served: [] },
    { ...served, name: 'b', state: 'Older', missingFields: ['spec.x', 'spec.y'] },
    { ...served, name: 'c', state: 'Older', served: ['v0'] },
  ] as const;
  expect(remedyOf(kinds)).toBe(
    'The cluster does not serve a and has older definitions: b (no field spec.x and 1 more), c (no version v1alpha1, only v0). ' +
      'Install the definitions of this version: boathook crds | kubectl apply -f -',
  );
});
