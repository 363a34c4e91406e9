import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { instant, parseTime } from '#base/time.ts';
import { objectSchema } from '#schema/kind/crd.ts';
import { simulationProfile } from './simulation-profile.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { noRules } from '#embedded/nodes/pod/pod-sync.ts';
import { tuningProblems } from '#embedded/nodes/tuning/annotations.ts';
import { tuningTable } from '#embedded/nodes/tuning/keys.ts';
import { compileProfile, textsFor } from './simulation-rules.ts';

const noon = parseTime('2026-05-04T12:00:00Z') ?? instant(0);

const profile = (rules: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  apiVersion: 'boathook.dev/v1alpha1',
  kind: 'SimulationProfile',
  metadata: { name: 'bad-day' },
  spec: { rules: rules.map((rule, at) => ({ name: `rule-${at}`, ...rule })), ...more },
});

const pod = (more: JsonObject = {}): JsonObject => ({
  metadata: {
    name: 'web-1',
    namespace: 'shop',
    uid: 'u-1',
    labels: { app: 'web', tier: 'front' },
    ownerReferences: [{ kind: 'ReplicaSet', name: 'web' }],
    ...more,
  },
  spec: {
    nodeName: 'node-2',
    initContainers: [{ name: 'setup', image: 'tools:1' }],
    containers: [
      { name: 'app', image: 'registry.example.com/web:2.0' },
      { name: 'side', image: 'proxy:1' },
    ],
  },
});

const texts = (object: JsonObject, about: JsonObject = pod(), seed = 1) =>
  textsFor(compileProfile(object, refuse), about, noon, seed);
const refuse = (message: string, fields: object): never => {
  throw new Error(`${message} ${JSON.stringify(fields)}`);
};

const crash = { 'crash-after': '5s' };

test.for([
  [{}, true],
  [{ namespaces: ['shop', 'till'] }, true],
  [{ namespaces: ['till'] }, false],
  [{ matchLabels: { app: 'web' } }, true],
  [{ matchLabels: { app: 'web', tier: 'back' } }, false],
  [{ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['back'] }] }, true],
  [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
  [{ ownerKinds: ['ReplicaSet'] }, true],
  [{ ownerKinds: ['Job'] }, false],
  [{ nodes: ['node-2'] }, true],
  [{ nodes: ['node-1'] }, false],
  [{ nodes: ['node-2'], namespaces: ['till'] }, false],
] as const)('pods are matched by %j: %s', ([match, fits]) => {
  expect(texts(profile([{ match, set: crash }]))).toEqual(fits ? crash : {});
});

test.for([
  [{ image: '/web:2' }, { 'crash-after.app': '5s' }],
  [{ containers: ['side', 'setup'] }, { 'crash-after.setup': '5s', 'crash-after.side': '5s' }],
  [{ image: '^proxy', containers: ['app'] }, {}],
] as const)('containers are matched by %j', ([match, expected]) => {
  expect(texts(profile([{ match, set: crash }]))).toEqual(expected);
});

test('later rules override earlier ones, also those about single containers', () => {
  const single = { match: { containers: ['app'] }, set: { 'crash-after': '9s', 'exit-code': 3 } };
  expect(texts(profile([single, { set: crash }]))).toEqual({ 'crash-after': '5s', 'exit-code.app': '3' });
  expect(texts(profile([{ set: crash }, single]))).toEqual({
    'crash-after': '5s',
    'crash-after.app': '9s',
    'exit-code.app': '3',
  });
});

test('a rule about single containers has no effect if an annotation is about all', () => {
  const annotated = pod({ annotations: { 'sim.boathook.dev/crash-after': '1h' } });
  expect(texts(profile([{ match: { containers: ['app'] }, set: crash }]), annotated)).toBe(noRules);
});

test.for([
  [{}, {}, true],
  [{ expiresAt: '2026-05-04T12:00:01Z' }, {}, true],
  [{ expiresAt: '2026-05-04T12:00:00Z' }, {}, false],
  [{}, { expiresAt: '2026-05-04T11:59:59Z' }, false],
  [{ expiresAt: '2026-05-04T13:00:00Z' }, { expiresAt: '2026-05-04T11:00:00Z' }, false],
] as const)('a rule %j of a profile %j counts: %s', ([rule, whole, counts]) => {
  expect(texts(profile([{ ...rule, set: crash }], whole))).toEqual(counts ? crash : {});
});

test('chances depend on seed and uid, have the given frequency, and are always the same', () => {
  const some = profile([{ probability: 0.3, set: crash }]);
  const drawn = (seed: number): readonly string[] =>
    Array.from({ length: 1000 }, (_, at) => `uid-${at}`).filter(
      (uid) => texts(some, pod({ uid }), seed) !== noRules,
    );
  expect(drawn(1).length).toBeGreaterThan(250);
  expect(drawn(1).length).toBeLessThan(350);
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(2)).not.toEqual(drawn(1));
  expect(texts(profile([{ probability: 0, set: crash }]))).toBe(noRules);
});

test('a rule that cannot be used is reported, and the others count', () => {
  const output: string[] = [];
  const bad = { match: { image: '(' }, set: { pull: 'error' } };
  const rules = compileProfile(profile([bad, { set: crash }]), (message) => output.push(message));
  expect(textsFor(rules, pod(), noon, 1)).toEqual(crash);
  expect(output).toHaveLength(1);
  expect(compileProfile({ metadata: { name: 'x' } }, (message) => output.push(message))).toEqual([]);
  expect(output).toHaveLength(2);
});

const { validate } = compileSchema(objectSchema(simulationProfile));
const numeric = new Set(['crash-count', 'exit-code', 'term-exit-code']);
const setting = (key: string, text: string): JsonObject =>
  profile([{ set: { [key]: numeric.has(key) ? Number(text) : text } }]);

test('the kind has the keys of the annotations, accepts their examples and nothing invalid', () => {
  const { set } = simulationProfile.schema.properties.spec.properties.rules.items.properties;
  expect(Object.keys(set.properties).toSorted()).toEqual(Object.keys(tuningTable).toSorted());
  for (const [key, { example, parse }] of Object.entries(tuningTable)) {
    expect(validate(setting(key, example)), key).toEqual([]);
    expect(tuningProblems(texts(setting(key, example)), ['app'])).toEqual([]);
    if (parse('?!') === undefined) expect(validate(setting(key, '?!')), key).not.toEqual([]);
  }
});
