import { expect, test } from 'vitest';
import { at, listAt, textAt, type JsonObject } from '#base/json.ts';
import { block, body as protobufBody, int, text } from '#embedded/kinds/protobuf/testing/build.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { openApi, type Answer, type BareApi } from '../support/bare-api.ts';
import { configMaps, defineWidgets, home, refusalOf, widgets } from '../support/story-objects.ts';

const integer = { type: 'integer' };
const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        x: integer,
        num: { type: 'integer', format: 'int64' },
        f: { type: 'number' },
        l: { type: 'array', items: integer, maxItems: 5 },
        m: { type: 'object', additionalProperties: integer },
        ios: { 'x-kubernetes-int-or-string': true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        filled: { type: 'integer', default: 9_007_199_254_740_995n },
        even: { type: 'integer', multipleOf: 2 },
        few: { type: 'integer', maximum: 9_007_199_254_740_994 },
        one: { type: 'integer', enum: [9_007_199_254_740_993n, 7] },
        set: { type: 'array', items: integer, 'x-kubernetes-list-type': 'set' },
        map: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id'],
          items: { type: 'object', required: ['id'], properties: { id: integer, v: integer } },
        },
      },
    },
  },
};

const columns = {
  additionalPrinterColumns: [
    { name: 'X', type: 'string', jsonPath: '.spec.x' },
    { name: 'N', type: 'integer', jsonPath: '.spec.num' },
    { name: 'F', type: 'number', jsonPath: '.spec.f' },
  ],
  selectableFields: [{ jsonPath: '.spec.x' }],
};

/** A widget as text: the test must not depend on how the test itself prints numbers. */
const widgetText = (name: string, spec: string): string =>
  `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":${spec}}`;

async function openWidgets(): Promise<BareApi> {
  const api = await openApi();
  await defineWidgets(api, schema, columns);
  return api;
}

/** The text of `spec` as the server sent it. */
const specText = ({ text: whole }: Answer): string => /"spec":(\{.*\})\}\s*$/.exec(whole)?.[1] ?? whole;

const large =
  '{"filled":9007199254740995,"free":{"deep":[{"y":9007199254740997}]},"ios":9007199254740995,"l":[-9007199254740993,1],"m":{"k":-9223372036854775808},"num":9223372036854775807,"x":9007199254740993}';

test('integers of 64 bits are stored, listed, watched and defaulted as they were sent', async () => {
  await using api = await openWidgets();
  const watch = await api.watch(`${widgets}?watch=true`);
  const sent = large.replace('"filled":9007199254740995,', '');
  const made = await api.send('POST', widgets, { body: widgetText('a', sent) });
  const isSame = (answer: Answer): void =>
    expect(JSON.parse(quoteDigits(specText(answer)))).toEqual(JSON.parse(quoteDigits(large)));
  isSame(made);
  isSame(await api.get(`${widgets}/a`));
  const list = await api.get(widgets);
  for (const digits of large.match(/-?\d{16,}/g) ?? []) expect(list.text).toContain(digits);
  const event = await watch.next();
  expect(at(event, 'object', 'spec', 'x')).toBe(9_007_199_254_740_993n);
});

/** Digits as texts, so that the comparison is exact. */
const quoteDigits = (json: string): string => json.replaceAll(/-?\d{16,}/g, '"$&"');

test('they are the same after a restart', async () => {
  const journal = memoryJournal();
  {
    await using api = await openApi({ journal });
    await defineWidgets(api, schema);
    await api.send('POST', widgets, { body: widgetText('a', '{"x":9007199254740993}') });
  }
  await using api = await openApi({ journal });
  await api.embedded.server.settled();
  expect((await api.get(`${widgets}/a`)).text).toContain('"x":9007199254740993');
});

test('YAML reads and writes them', async () => {
  await using api = await openWidgets();
  const yaml =
    'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: wide}\nspec: {x: 9007199254740993, f: 9007199254740993, num: 0x20000000000001}\n';
  const made = await api.send('POST', widgets, {
    body: yaml,
    type: 'application/yaml',
    headers: { accept: 'application/yaml' },
  });
  expect(made.text).toContain('  f: 9007199254740993\n  filled: 9007199254740995\n  num: 9007199254740993\n');
});

test.for<readonly [type: 'merge' | 'json' | 'apply', patch: string, found: string]>([
  ['merge', '{"spec":{"x":9007199254740999}}', '"x":9007199254740999'],
  ['merge', '{"spec":{"free":{"z":1234567890123456789}}}', '"z":1234567890123456789'],
  ['json', '[{"op":"replace","path":"/spec/num","value":9007199254740997}]', '"num":9007199254740997'],
  ['json', '[{"op":"copy","from":"/spec/x","path":"/spec/m/c"}]', '"c":9007199254740993'],
  ['json', '[{"op":"test","path":"/spec/x","value":9007199254740993}]', '"x":9007199254740993'],
  [
    'apply',
    'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {ios: 9007199254741001}\n',
    '"ios":9007199254741001',
  ],
])('a %s patch %s leaves %s', async ([type, patch, found]) => {
  await using api = await openWidgets();
  await api.send('POST', widgets, { body: widgetText('a', large) });
  const query = type === 'apply' ? '?fieldManager=m&force=true' : '';
  const answer = await api.patch(`${widgets}/a${query}`, type, patch);
  expect(answer.text).toContain(found);
  expect(answer.text).toContain('"y":9007199254740997');
  expect((await api.get(`${widgets}/a`)).text).toContain(found);
});

test('a test of a JSON patch distinguishes integers that differ by one', async () => {
  await using api = await openWidgets();
  await api.send('POST', widgets, { body: widgetText('a', large) });
  const patch = '[{"op":"test","path":"/spec/x","value":9007199254740992}]';
  expect((await api.patch(`${widgets}/a`, 'json', patch)).status).toBe(422);
});

test('a write that changes an integer by one is a change, and one that does not is none', async () => {
  await using api = await openWidgets();
  await api.send('POST', widgets, { body: widgetText('a', large) });
  const generation = async (patch: string): Promise<unknown> =>
    at((await api.patch(`${widgets}/a`, 'merge', patch)).body, 'metadata', 'generation');
  expect(await generation('{"spec":{"x":9007199254740993}}')).toBe(1);
  expect(await generation('{"spec":{"x":9007199254740992}}')).toBe(2);
});

test.for<readonly [spec: string, wrong: RegExp | undefined]>([
  ['{"num":9223372036854775808}', /spec\.num in body must be of type integer: "number"/],
  ['{"x":"9007199254740993"}', /spec\.x in body must be of type integer: "string"/],
  ['{"x":1e3,"f":12345678901234567890}', undefined],
  ['{"even":9007199254740994}', undefined],
  ['{"even":9007199254740993}', /should be a multiple of 2/],
  ['{"few":9007199254740994}', undefined],
  ['{"few":9007199254740995}', /9007199254740995: spec\.few in body should be less than or equal to/],
  ['{"one":9007199254740993}', undefined],
  [
    '{"one":9007199254740992}',
    /Unsupported value: 9007199254740992: supported values: "9007199254740993", "7"/,
  ],
  ['{"set":[9007199254740992,9007199254740993]}', undefined],
  ['{"set":[9007199254740993,9007199254740993]}', /Duplicate value: 9007199254740993/],
  ['{"map":[{"id":9007199254740992},{"id":9007199254740993}]}', undefined],
  ['{"map":[{"id":9007199254740993},{"id":9007199254740993}]}', /Duplicate value/],
])('the schema checks %s exactly', async ([spec, wrong]) => {
  await using api = await openWidgets();
  const answer = await api.send('POST', widgets, { body: widgetText('a', spec) });
  if (wrong === undefined) expect(refusalOf(answer)).toBe('201 -: ');
  else expect(refusalOf(answer)).toMatch(wrong);
});

test('rules in CEL compare them exactly and show them whole', async () => {
  await using api = await openApi();
  await defineWidgets(api, {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { x: integer, num: { type: 'integer', format: 'int64' }, f: { type: 'number' } },
        'x-kubernetes-validations': [
          { rule: 'self.x < self.num', messageExpression: "'%d is not below %d'.format([self.x, self.num])" },
          { rule: '!has(self.f) || self.f > 9.0' },
        ],
      },
    },
  });
  const send = (name: string, spec: string): Promise<Answer> =>
    api.send('POST', widgets, { body: widgetText(name, spec) });
  expect((await send('a', '{"x":9007199254740992,"num":9007199254740993}')).status).toBe(201);
  expect((await send('f', '{"x":1,"num":2,"f":9007199254740993}')).status).toBe(201);
  expect(refusalOf(await send('b', '{"x":9007199254740993,"num":9007199254740992}'))).toContain(
    'spec: Invalid value: "object": 9007199254740993 is not below 9007199254740992',
  );
});

test('columns and field selectors show and find them', async () => {
  await using api = await openWidgets();
  await api.send('POST', widgets, { body: widgetText('a', '{"x":9007199254740993,"num":9007199254740995}') });
  await api.send('POST', widgets, { body: widgetText('b', '{"x":9007199254740992,"f":9007199254740993}') });
  const table = await api.get(widgets, 'application/json;as=Table;v=v1;g=meta.k8s.io');
  expect(listAt(table.body, 'rows').map((row) => listAt(row, 'cells'))).toEqual([
    ['a', '9007199254740993', 9_007_199_254_740_995n, null],
    ['b', '9007199254740992', null, 9_007_199_254_740_993n],
  ]);
  const found = await api.get(`${widgets}?fieldSelector=spec.x%3D9007199254740993`);
  expect(listAt(found.body, 'items').map((item) => textAt(item, 'metadata', 'name'))).toEqual(['a']);
});

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const jobText = (deadline: string): string =>
  `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"suspend":true,"activeDeadlineSeconds":${deadline},"template":{"spec":{"restartPolicy":"Never","terminationGracePeriodSeconds":9007199254740995,"containers":[{"name":"c","image":"i"}]}}}}`;

test('built-in kinds keep them too, in all forms of patches, and refuse more than 64 bits', async () => {
  await using api = await openApi();
  const made = await api.send('POST', jobs, { body: jobText('9007199254740993') });
  expect(made.text).toContain('"activeDeadlineSeconds":9007199254740993');
  expect(made.text).toContain('"terminationGracePeriodSeconds":9007199254740995');
  const strategic = await api.patch(
    `${jobs}/j`,
    'strategic',
    '{"spec":{"activeDeadlineSeconds":9223372036854775807}}',
  );
  expect(strategic.text).toContain('"activeDeadlineSeconds":9223372036854775807');
  const beyond = await api.patch(
    `${jobs}/j`,
    'merge',
    '{"spec":{"activeDeadlineSeconds":9223372036854775808}}',
  );
  expect(refusalOf(beyond)).toMatch(
    /cannot unmarshal number 9223372036854775808 into Go struct field JobSpec\.spec\.activeDeadlineSeconds of type int64/,
  );
  const applied = await api.patch(
    `${jobs}/j?fieldManager=m&force=true`,
    'apply',
    'apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {activeDeadlineSeconds: 9007199254740997}\n',
  );
  expect(applied.text).toContain('"activeDeadlineSeconds":9007199254740997');
});

test('protobuf bodies bring them whole', async () => {
  await using api = await openApi();
  const job = protobufBody(
    'batch/v1',
    'Job',
    block(1, text(1, 'p')),
    block(
      2,
      int(3, 9_007_199_254_740_993n),
      block(
        6,
        block(2, block(2, text(1, 'c'), text(2, 'i')), text(3, 'Never'), int(4, 9_007_199_254_740_995n)),
      ),
    ),
  );
  const made = await api.send('POST', jobs, { body: job, type: 'application/vnd.kubernetes.protobuf' });
  expect(made.text).toContain('"activeDeadlineSeconds":9007199254740993');
  expect(made.text).toContain('"terminationGracePeriodSeconds":9007199254740995');
});

test('a generation and a quantity are as exact', async () => {
  await using api = await openApi();
  const made = await api.send('POST', `${configMaps}?dryRun=All`, {
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"g","generation":9007199254740993}}',
  });
  expect(made.text).toContain('"generation":9007199254740993');
  const claim = await api.send('POST', `${home}/persistentvolumeclaims`, {
    body: '{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":9007199254740993}}}}',
  });
  expect(claim.text).toContain('"storage":"9007199254740993"');
});
