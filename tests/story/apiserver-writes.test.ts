import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { openApi, type Answer, type BareApi } from '../support/bare-api.ts';
import {
  configMap,
  configMaps,
  defineWidgets,
  deployment,
  deployments,
  home,
  metaText,
  pod,
  pods,
  readyForPods,
  refusalOf,
  widget,
  widgets,
} from '../support/story-objects.ts';

const modified = (what: string): string =>
  `409 Conflict: Operation cannot be fulfilled on ${what}: the object has been modified; please apply your changes to the latest version and try again`;
const rejected = '422 Invalid: the server rejected our request due to an error in our request';

test('the server sets the fields that only it may set', async () => {
  await using api = await openApi();
  const uid = '00000000-0000-4000-8000-000000000000';
  const made = await api.create(
    configMaps,
    configMap(
      'a',
      {},
      {
        uid,
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 5,
        selfLink: '/x',
      },
    ),
  );
  expect(made['metadata']).toEqual({
    name: 'a',
    namespace: 'default',
    uid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    resourceVersion: expect.stringMatching(/^\d+$/) as string,
    creationTimestamp: '2025-11-15T12:33:20Z',
  });
  expect(textAt(made, 'metadata', 'uid')).not.toBe(uid);
  const patches: readonly (readonly [JsonObject, string])[] = [
    [{ creationTimestamp: '2001-01-01T00:00:00Z' }, 'same'],
    [{ creationTimestamp: null }, 'same'],
    [{ selfLink: '/y' }, 'same'],
    [{ generateName: 'g' }, 'changed'],
    [
      { namespace: 'other' },
      '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      { deletionGracePeriodSeconds: 3 },
      '422 Invalid: ConfigMap "a" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable',
    ],
    [
      { uid },
      `422 Invalid: ConfigMap "a" is invalid: metadata.uid: Invalid value: "${uid}": field is immutable`,
    ],
  ];
  for (const [metadata, outcome] of patches) {
    const before = metaText(await api.get(`${configMaps}/a`), 'resourceVersion');
    const answer = await api.patch(`${configMaps}/a`, 'merge', { metadata });
    const change = metaText(answer, 'resourceVersion') === before ? 'same' : 'changed';
    expect(answer.status === 200 ? change : refusalOf(answer)).toBe(outcome);
  }
});

test('generated names are prefix and five letters', async () => {
  await using api = await openApi();
  const make = async (generateName: string): Promise<string> => {
    const made = await api.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName },
    });
    return textAt(made, 'metadata', 'name') ?? '';
  };
  const names = new Set<string>();
  for (let count = 0; count < 50; count += 1) names.add(await make('gen-'));
  expect(names.size).toBe(50);
  for (const name of names) expect(name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(await make('x'.repeat(70))).toMatch(/^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('a write needs the current resourceVersion, or none', async () => {
  await using api = await openApi();
  const first = await api.create(configMaps, configMap('a'));
  await api.patch(`${configMaps}/a`, 'merge', { data: { x: '1' } });
  const put = (body: JsonObject): Promise<Answer> => api.send('PUT', `${configMaps}/a`, { body });
  expect(refusalOf(await put({ ...first, data: { y: '2' } }))).toBe(modified('configmaps "a"'));
  const stranger = '00000000-0000-4000-8000-000000000000';
  const actual = textAt(first, 'metadata', 'uid') ?? '';
  expect(refusalOf(await put(configMap('a', {}, { uid: stranger })))).toBe(
    `409 Conflict: Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${stranger}, UID in object meta: ${actual}`,
  );
  expect((await put(configMap('a', { data: { z: '1' } }))).body['data']).toEqual({ z: '1' });
});

test('custom objects and leases are never updated blindly', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  await api.create(widgets, widget('w'));
  const must = 'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update';
  expect(refusalOf(await api.send('PUT', `${widgets}/w`, { body: widget('w') }))).toBe(
    `422 Invalid: widgets.example.com "w" is invalid: ${must}`,
  );
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } };
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
  expect((await api.send('PUT', path, { body: lease })).status).toBe(201);
  expect(refusalOf(await api.send('PUT', path, { body: lease }))).toBe(
    `422 Invalid: leases.coordination.k8s.io "l" is invalid: ${must}`,
  );
  expect((await api.send('PUT', `${deployments}/d`, { body: deployment('d') })).status).toBe(404);
});

test('a write that changes nothing is none', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('a', { data: { x: '1' } }, { labels: { l: '1' } }));
  const { store } = api.embedded.server.context;
  const { revision } = store;
  const { body } = await api.get(`${configMaps}/a`);
  await api.send('PUT', `${configMaps}/a`, { body });
  await api.patch(`${configMaps}/a`, 'merge', { data: { x: '1' } });
  await api.patch(`${configMaps}/a`, 'merge', {});
  await api.patch(`${configMaps}/a`, 'json', []);
  await api.patch(`${configMaps}/a`, 'strategic', { metadata: { labels: { l: '1' } } });
  expect(store.revision).toBe(revision);
  const apply = (): Promise<Answer> =>
    api.patch(`${configMaps}/b?fieldManager=m`, 'apply', configMap('b', { data: { y: '1' } }));
  await apply();
  expect((await apply()).status).toBe(200);
  expect(store.revision).toBe(revision + 1);
});

test('the generation counts changes of what is wanted', async () => {
  await using api = await openApi();
  await defineWidgets(api, undefined, { subresources: { status: {} } });
  await api.create(deployments, deployment('d'));
  await api.create(widgets, widget('w', { spec: { a: 1 } }));
  const d = `${deployments}/d`;
  const w = `${widgets}/w`;
  const steps: readonly (readonly [path: string, patch: Json, generation: number])[] = [
    [d, { metadata: { labels: { a: 'b' } } }, 1],
    [d, { metadata: { annotations: { a: 'b' } } }, 2],
    [d, { spec: { replicas: 2 } }, 3],
    [d, { spec: { replicas: 2 } }, 3],
    [`${d}/status`, { status: { replicas: 2 } }, 3],
    [w, { metadata: { labels: { a: 'b' } } }, 1],
    [w, { spec: { a: 2 } }, 2],
    [w, { other: 1 }, 3],
    [w, { status: { x: 1 } }, 3],
    [`${w}/status`, { status: { x: 1 } }, 3],
  ];
  for (const [path, patch, generation] of steps) {
    const { body } = await api.patch(path, 'merge', patch);
    expect([path, patch, numberAt(body, 'metadata', 'generation')]).toEqual([path, patch, generation]);
  }
  const plain = await api.create(configMaps, configMap('c'));
  expect(objectAt(plain, 'metadata')).not.toHaveProperty('generation');
});

test('status is written through its own subresource', async () => {
  await using api = await openApi();
  await readyForPods(api);
  await api.create(pods, { ...pod('p'), status: { phase: 'Running', message: 'mine' } });
  expect((await api.get(`${pods}/p`)).body['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  const running = await api.patch(`${pods}/p/status`, 'merge', {
    status: { phase: 'Running' },
    spec: { containers: [{ name: 'c', image: 'other' }] },
    metadata: { labels: { l: '1' } },
  });
  expect(running.body).toMatchObject({ metadata: { labels: { l: '1' } }, status: { phase: 'Running' } });
  expect(textAt(listAt(running.body, 'spec', 'containers')[0], 'image')).toBe('img:1');
  const main = await api.patch(`${pods}/p`, 'merge', { status: { phase: 'Failed' } });
  expect(textAt(main.body, 'status', 'phase')).toBe('Running');

  await defineWidgets(api, undefined, { subresources: { status: {} } });
  const made = await api.create(widgets, widget('w', { spec: { a: 1 }, status: { s: 1 } }));
  expect(made).not.toHaveProperty('status');
  const { body } = await api.patch(`${widgets}/w/status`, 'merge', {
    metadata: { labels: { l: '1' } },
    spec: { a: 2 },
    status: { s: 2 },
  });
  expect(body).toMatchObject({ spec: { a: 1 }, status: { s: 2 } });
  expect(objectAt(body, 'metadata')).not.toHaveProperty('labels');
});

test('a terminating namespace accepts no new objects, and some cannot be deleted', async () => {
  await using api = await openApi();
  await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 't' } });
  expect((await api.send('DELETE', '/api/v1/namespaces/t')).body).toMatchObject({
    status: { phase: 'Terminating' },
  });
  const refused = await api.send('POST', '/api/v1/namespaces/t/configmaps', { body: configMap('a') });
  expect(refusalOf(refused)).toBe(
    '403 Forbidden: configmaps "a" is forbidden: unable to create new content in namespace t because it is being terminated',
  );
  expect(listAt(refused.body, 'details', 'causes')).toEqual([
    {
      reason: 'NamespaceTerminating',
      message: 'namespace t is being terminated',
      field: 'metadata.namespace',
    },
  ]);
  for (const name of ['default', 'kube-system', 'kube-public']) {
    expect(refusalOf(await api.send('DELETE', `/api/v1/namespaces/${name}`))).toBe(
      `403 Forbidden: namespaces "${name}" is forbidden: this namespace may not be deleted`,
    );
  }
});

test('a dry run shows all and keeps nothing', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('a', { data: { x: '1' } }));
  const { store } = api.embedded.server.context;
  const { revision } = store;
  const kept = (await api.get(`${configMaps}/a`)).body;
  const a = `${configMaps}/a?dryRun=All`;
  const made = await api.send('POST', `${configMaps}?dryRun=All`, { body: configMap('b') });
  expect([made.status, metaText(made, 'resourceVersion')]).toEqual([201, undefined]);
  expect(metaText(made, 'uid')).toMatch(/^[0-9a-f-]{36}$/);
  const changed = [
    await api.send('PUT', a, { body: configMap('a', { data: { x: '2' } }) }),
    await api.patch(a, 'merge', { data: { x: '2' } }),
    await api.patch(a, 'json', [{ op: 'replace', path: '/data/x', value: '2' }]),
    await api.patch(a, 'strategic', { data: { x: '2' } }),
    await api.patch(`${a}&fieldManager=m&force=true`, 'apply', configMap('a', { data: { x: '2' } })),
  ];
  for (const each of changed) {
    expect([each.status, each.body['data'], metaText(each, 'resourceVersion')]).toEqual([
      200,
      { x: '2' },
      textAt(kept, 'metadata', 'resourceVersion'),
    ]);
  }
  expect((await api.send('DELETE', a)).body).toMatchObject({ status: 'Success' });
  expect((await api.send('DELETE', `${configMaps}?dryRun=All`)).status).toBe(200);
  expect(refusalOf(await api.send('POST', `${configMaps}?dryRun=Some`, { body: configMap('c') }))).toBe(
    '422 Invalid: CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: []string{"Some"}: supported values: "All"',
  );
  expect((await api.get(`${configMaps}/a`)).body).toEqual(kept);
  expect(store.revision).toBe(revision);
});

const doubled =
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NAME","labelz":{"a":"b"}},"data":{"k":"1","k":"2"},"unknown":1}';
const faults = ['unknown field "metadata.labelz"', 'duplicate field "data.k"', 'unknown field "unknown"'];

test('strange fields are refused, warned about or ignored', async () => {
  await using api = await openApi();
  const post = (validation: string, name: string): Promise<Answer> =>
    api.send('POST', `${configMaps}?fieldValidation=${validation}`, { body: doubled.replace('NAME', name) });
  expect(refusalOf(await post('Strict', 'strict'))).toBe(
    `400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${faults.join(', ')}`,
  );
  const warnings = faults.map((fault) => `299 - "${fault.replaceAll('"', String.raw`\"`)}"`);
  expect((await post('', 'unset')).headers['warning']).toEqual(warnings);
  expect((await post('Warn', 'warn')).body['data']).toEqual({ k: '2' });
  expect((await post('Ignore', 'ignore')).headers).not.toHaveProperty('warning');
  expect(refusalOf(await post('Bogus', 'bogus'))).toBe(
    '422 Invalid: CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Bogus": supported values: "", "Ignore", "Strict", "Warn"',
  );
  const yaml = 'kind: ConfigMap\nmetadata:\n  name: yml\ndata:\n  a: b\n  a: c\nbogus: 1\n';
  expect(
    refusalOf(
      await api.send('POST', `${configMaps}?fieldValidation=Strict`, {
        body: yaml,
        type: 'application/yaml',
      }),
    ),
  ).toBe(
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 6: key "a" already set in map, unknown field "bogus"',
  );
});

const jsonSteps: readonly (readonly [patch: Json, outcome: Json])[] = [
  [
    [
      { op: 'test', path: '/data/x', value: '1' },
      { op: 'replace', path: '/data/x', value: '2' },
    ],
    { x: '2' },
  ],
  [
    [
      { op: 'copy', from: '/data/x', path: '/data/z' },
      { op: 'move', from: '/data/z', path: '/data/w' },
    ],
    { x: '2', w: '2' },
  ],
  [
    [
      { op: 'test', path: '/data/x', value: 'nope' },
      { op: 'remove', path: '/data/x' },
    ],
    rejected,
  ],
  [[{ op: 'remove', path: '/data/missing' }], rejected],
  [[{ op: 'replace', path: '/data/missing', value: '1' }], { x: '2', w: '2', missing: '1' }],
  [[{ op: 'add', path: '/nope/deep', value: '1' }], rejected],
  [[{ op: 'bogus', path: '/data/x' }], rejected],
  [
    { op: 'add' },
    '400 BadRequest: error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
  ],
  [
    [{ op: 'replace', path: '/metadata/name', value: 'b' }],
    '400 BadRequest: the name of the object (b) does not match the name on the URL (a)',
  ],
  ['[', '400 BadRequest: error decoding patch: unexpected end of JSON input'],
];
const mergeSteps: readonly (readonly [patch: Json, outcome: Json])[] = [
  [{ data: { x: null, q: '1' } }, { w: '2', missing: '1', q: '1' }],
  [{ data: null }, null],
  [
    '[1,2]',
    '400 BadRequest: error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  ['{"data":', '400 BadRequest: error decoding patch: unexpected end of JSON input'],
];

test('patches apply whole or not at all', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('a', { data: { x: '1' } }));
  const run = async (type: 'json' | 'merge', steps: typeof jsonSteps): Promise<void> => {
    for (const [patch, outcome] of steps) {
      const before = (await api.get(`${configMaps}/a`)).body;
      const answer = await api.patch(`${configMaps}/a`, type, patch);
      expect(answer.status === 200 ? (answer.body['data'] ?? null) : refusalOf(answer)).toEqual(outcome);
      if (answer.status !== 200) expect((await api.get(`${configMaps}/a`)).body).toEqual(before);
    }
  };
  await run('json', jsonSteps);
  await run('merge', mergeSteps);
});

test('a patch that names a revision is bound to it', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  const [a, w] = [await api.create(configMaps, configMap('a')), await api.create(widgets, widget('w'))];
  const stale = (object: JsonObject): JsonObject => ({
    metadata: { resourceVersion: textAt(object, 'metadata', 'resourceVersion') ?? '', labels: { l: '2' } },
  });
  expect((await api.patch(`${configMaps}/a`, 'merge', stale(a))).status).toBe(200);
  expect((await api.patch(`${widgets}/w`, 'merge', stale(w))).status).toBe(200);
  expect(refusalOf(await api.patch(`${configMaps}/a`, 'merge', stale(a)))).toBe(modified('configmaps "a"'));
  expect(refusalOf(await api.patch(`${widgets}/w`, 'merge', stale(w)))).toBe(
    modified('widgets.example.com "w"'),
  );
  expect(refusalOf(await api.patch(`${widgets}/w`, 'strategic', {}))).toBe(
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  );
});

const applied = (data: JsonObject): JsonObject => configMap('a', { data });
const apply = (api: BareApi, manager: string, body: Json, more = ''): Promise<Answer> =>
  api.patch(`${configMaps}/a?fieldManager=${manager}${more}`, 'apply', body);

test('appliers own what they set', async () => {
  await using api = await openApi();
  expect((await apply(api, 'one', applied({ x: '1', y: '2' }))).status).toBe(201);
  const conflict = await apply(api, 'two', applied({ x: '9' }));
  expect(refusalOf(conflict)).toBe(
    '409 Conflict: Apply failed with 1 conflict: conflict with "one": .data.x',
  );
  expect(listAt(conflict.body, 'details', 'causes')).toEqual([
    { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' },
  ]);
  expect(refusalOf(await apply(api, 'two', applied({ x: '9', y: '8' })))).toBe(
    '409 Conflict: Apply failed with 2 conflicts: conflicts with "one":\n- .data.x\n- .data.y',
  );
  expect((await apply(api, 'two', applied({ x: '9' }), '&force=true')).body['data']).toEqual({
    x: '9',
    y: '2',
  });
  expect((await apply(api, 'one', applied({ y: '2' }))).body['data']).toEqual({ x: '9', y: '2' });
  expect((await apply(api, 'one', applied({}))).body['data']).toEqual({ x: '9' });
});

test('an apply that names a uid is for that object only', async () => {
  await using api = await openApi();
  const named = (uid: string): JsonObject => configMap('a', { data: { x: '1' } }, { uid });
  expect(refusalOf(await apply(api, 'one', named('other')))).toBe(
    '409 Conflict: Operation cannot be fulfilled on configmaps "a": uid mismatch: the provided object specified uid other, and no existing object was found',
  );
  const { body } = await apply(api, 'one', applied({ x: '0' }));
  expect(refusalOf(await apply(api, 'one', named('other'), '&force=true'))).toBe(
    '422 Invalid: ConfigMap "a" is invalid: metadata.uid: Invalid value: "other": field is immutable',
  );
  expect((await apply(api, 'one', named(textAt(body, 'metadata', 'uid') ?? ''))).body['data']).toEqual({
    x: '1',
  });
});

test.for<readonly [query: string, body: Json, said: string]>([
  [
    '',
    configMap('a'),
    '422 Invalid: PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  ],
  [
    '?fieldManager=m',
    configMap('a', {}, { managedFields: [{ manager: 'x' }] }),
    '400 BadRequest: metadata.managedFields must be nil',
  ],
  [
    '?fieldManager=m',
    configMap('b'),
    '400 BadRequest: the name of the object (b) does not match the name on the URL (a)',
  ],
  ['?fieldManager=m', { metadata: { name: 'a' } }, '400 BadRequest: invalid object type: /, Kind='],
  [
    '?fieldManager=m',
    '{{',
    '400 BadRequest: error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected node content',
  ],
  [
    '?fieldManager=m',
    configMap('a', { bogus: 1 }),
    '500 -: failed to create typed patch object (/a; /v1, Kind=ConfigMap): .bogus: field not declared in schema',
  ],
])('an apply %s of %j is refused', async ([query, body, said]) => {
  await using api = await openApi();
  expect(refusalOf(await api.patch(`${configMaps}/a${query}`, 'apply', body))).toBe(said);
  expect((await api.get(`${configMaps}/a`)).status).toBe(404);
});

test('services keep their addresses through updates and give them back', async () => {
  await using api = await openApi();
  const service = (name: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port: 80 }] },
  });
  const made = await api.create(`${home}/services`, service('s'));
  const address = textAt(made, 'spec', 'clusterIP') ?? '';
  expect(address).toMatch(/^10\.0\.\d+\.\d+$/);
  const { body } = await api.patch(`${home}/services/s`, 'merge', { spec: { selector: { x: 'y' } } });
  expect(textAt(body, 'spec', 'clusterIP')).toBe(address);
  const again = { ...service('t'), spec: { clusterIP: address, ports: [{ port: 80 }] } };
  expect((await api.send('POST', `${home}/services`, { body: again })).status).toBe(422);
  await api.send('DELETE', `${home}/services/s`);
  expect((await api.send('POST', `${home}/services`, { body: again })).status).toBe(201);
});
