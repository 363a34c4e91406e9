import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { openApi, type Answer } from '../support/bare-api.ts';
import { openServer } from '../support/open-server.ts';
import {
  configMap,
  configMaps,
  defineWidgets,
  definitions,
  deployment,
  deployments,
  metaText,
  namesIn,
  pod,
  pods,
  readyForPods,
  refusalOf,
  widget,
  widgets,
} from '../support/story-objects.ts';

const meta = ({ body }: Answer, ...keys: readonly string[]): Json =>
  keys.map((key) => objectAt(body, 'metadata')?.[key] ?? null);

test('an object without finalizers is deleted at once, and the answer names it', async () => {
  await using api = await openApi();
  const made = await api.create(configMaps, configMap('a'));
  const uid = textAt(made, 'metadata', 'uid') ?? '';
  expect((await api.send('DELETE', `${configMaps}/a`)).body).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'a', kind: 'configmaps', uid },
  });
  await api.create(deployments, deployment('d'));
  expect((await api.send('DELETE', `${deployments}/d`)).body).toMatchObject({
    details: { name: 'd', group: 'apps', kind: 'deployments' },
  });
});

test('finalizers keep an object until the last one is removed', async () => {
  await using api = await openApi();
  const path = `${configMaps}/f`;
  const finalizers = ['example.com/a', 'example.com/b'];
  await api.create(configMaps, configMap('f', {}, { finalizers }));
  const held = await api.send('DELETE', path);
  expect(meta(held, 'deletionTimestamp', 'deletionGracePeriodSeconds', 'finalizers')).toEqual([
    '2025-11-15T12:33:20Z',
    0,
    finalizers,
  ]);
  const revision = metaText(held, 'resourceVersion');
  expect(metaText(await api.send('DELETE', path), 'resourceVersion')).toBe(revision);
  expect(refusalOf(await api.send('POST', configMaps, { body: configMap('f') }))).toBe(
    '409 AlreadyExists: object is being deleted: configmaps "f" already exists',
  );
  expect((await api.patch(path, 'merge', { data: { still: 'writable' } })).status).toBe(200);
  expect(
    refusalOf(await api.patch(path, 'merge', { metadata: { finalizers: [...finalizers, 'example.com/c'] } })),
  ).toBe(
    '422 Invalid: ConfigMap "f" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c"}',
  );
  expect(
    meta(await api.patch(path, 'merge', { metadata: { deletionTimestamp: null } }), 'deletionTimestamp'),
  ).toEqual(['2025-11-15T12:33:20Z']);
  expect((await api.patch(path, 'merge', { metadata: { finalizers: ['example.com/b'] } })).status).toBe(200);
  expect((await api.get(path)).status).toBe(200);
  expect(meta(await api.patch(path, 'merge', { metadata: { finalizers: [] } }), 'finalizers')).toEqual([
    null,
  ]);
  expect((await api.get(path)).status).toBe(404);
});

test('the beginning of a deletion counts as a change of what is wanted', async () => {
  await using api = await openApi();
  await api.create(deployments, {
    ...deployment('d'),
    metadata: { name: 'd', finalizers: ['example.com/a'] },
  });
  const steps = [
    await api.send('DELETE', `${deployments}/d`),
    await api.send('DELETE', `${deployments}/d`),
    await api.patch(`${deployments}/d`, 'merge', { spec: { replicas: 4 } }),
    await api.patch(`${deployments}/d`, 'merge', { metadata: { finalizers: null } }),
  ];
  expect(steps.map((each) => meta(each, 'generation'))).toEqual([[2], [2], [3], [3]]);
  expect((await api.get(`${deployments}/d`)).status).toBe(404);
});

test('a pod on a node gets its grace, which only ever shortens', async () => {
  await using api = await openApi();
  await readyForPods(api);
  await api.create(pods, pod('bound', { nodeName: 'n', terminationGracePeriodSeconds: 25 }));
  const path = `${pods}/bound`;
  const after = async (body?: JsonObject): Promise<Json> =>
    meta(
      await api.send('DELETE', path, body === undefined ? {} : { body }),
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
    );
  expect(await after()).toEqual(['2025-11-15T12:33:45Z', 25]);
  expect(await after({ gracePeriodSeconds: 10 })).toEqual(['2025-11-15T12:33:30Z', 10]);
  expect(await after({ gracePeriodSeconds: 100 })).toEqual(['2025-11-15T12:33:30Z', 10]);
  expect((await api.get(path)).status).toBe(200);
  expect(await after({ gracePeriodSeconds: 0 })).toEqual(['2025-11-15T12:33:20Z', 0]);
  expect((await api.get(path)).status).toBe(404);
});

test.for<readonly [name: string, spec: JsonObject, status: JsonObject]>([
  ['on no node', {}, {}],
  ['done', { nodeName: 'n' }, { phase: 'Succeeded' }],
  ['failed', { nodeName: 'n' }, { phase: 'Failed' }],
])('a pod that is %s needs no grace', async ([, spec, status]) => {
  await using api = await openApi();
  await readyForPods(api);
  await api.create(pods, pod('p', spec));
  if (Object.keys(status).length > 0) await api.patch(`${pods}/p/status`, 'merge', { status });
  expect(meta(await api.send('DELETE', `${pods}/p`), 'deletionGracePeriodSeconds')).toEqual([0]);
  expect((await api.get(`${pods}/p`)).status).toBe(404);
});

test('the policy is a finalizer until a controller acts on it', async () => {
  await using api = await openApi();
  const remove = async (name: string, body: JsonObject, query = ''): Promise<Json> => {
    await api.send('POST', configMaps, { body: configMap(name) });
    const answer = await api.send('DELETE', `${configMaps}/${name}${query}`, { body });
    return answer.body['kind'] === 'Status' ? (answer.body['status'] ?? null) : meta(answer, 'finalizers');
  };
  expect(await remove('a', { propagationPolicy: 'Background' })).toBe('Success');
  expect(await remove('b', { propagationPolicy: 'Foreground' })).toEqual([['foregroundDeletion']]);
  expect(await remove('c', { propagationPolicy: 'Orphan' })).toEqual([['orphan']]);
  expect(await remove('c', { propagationPolicy: 'Foreground' })).toEqual([['foregroundDeletion']]);
  expect(await remove('d', { orphanDependents: true })).toEqual([['orphan']]);
  await api.create(configMaps, configMap('e'));
  expect(
    meta(await api.send('DELETE', `${configMaps}/e?propagationPolicy=Foreground`), 'finalizers'),
  ).toEqual([['foregroundDeletion']]);
  for (const body of [
    { propagationPolicy: 'Bogus' },
    { propagationPolicy: 'Orphan', orphanDependents: true },
  ])
    expect((await api.send('DELETE', `${configMaps}/e`, { body })).status).toBe(422);
});

test('a delete may be bound to a uid and a revision', async () => {
  await using api = await openApi();
  const made = await api.create(configMaps, configMap('a'));
  const uid = textAt(made, 'metadata', 'uid') ?? '';
  const revision = textAt(made, 'metadata', 'resourceVersion') ?? '';
  const remove = (preconditions: JsonObject): Promise<Answer> =>
    api.send('DELETE', `${configMaps}/a`, {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions },
    });
  expect(refusalOf(await remove({ uid: 'other' }))).toBe(
    `409 Conflict: Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
  );
  expect(refusalOf(await remove({ resourceVersion: '1' }))).toBe(
    `409 Conflict: Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${revision}). The object might have been modified`,
  );
  expect((await remove({ uid, resourceVersion: revision })).status).toBe(200);
});

test('a collection is deleted by selectors; the answer is what was there', async () => {
  await using api = await openApi();
  for (const [name, l] of Object.entries({ a: 'x', b: 'y', c: 'x', d: 'z' }))
    await api.create(
      configMaps,
      configMap(name, {}, { labels: { l }, ...(name === 'c' ? { finalizers: ['example.com/f'] } : {}) }),
    );
  const remove = async (query: string): Promise<readonly string[]> =>
    namesIn(await api.send('DELETE', `${configMaps}?${query}`));
  expect(await remove('labelSelector=l%3Dx&dryRun=All')).toEqual(['a', 'c']);
  expect(await remove('labelSelector=l%3Dx')).toEqual(['a', 'c']);
  expect(await remove('labelSelector=none')).toEqual([]);
  expect(await remove('fieldSelector=metadata.name%3Dd')).toEqual(['d']);
  expect(namesIn(await api.get(configMaps))).toEqual(['b', 'c']);
  expect((await api.send('DELETE', `${configMaps}?labelSelector=a%20b`)).status).toBe(400);
});

test('a definition deletes its objects, and waits for those with finalizers', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  await api.create(widgets, widget('a'));
  await api.create(widgets, widget('b', {}, { finalizers: ['example.com/f'] }));
  const path = `${definitions}/widgets.example.com`;
  expect(meta(await api.send('DELETE', path), 'finalizers')).toEqual([
    ['customresourcecleanup.apiextensions.k8s.io'],
  ]);
  await api.embedded.server.settled();
  expect(namesIn(await api.get(widgets))).toEqual(['b']);
  const conditions = listAt((await api.get(path)).body, 'status', 'conditions').map(
    (each) => `${textAt(each, 'type')} ${textAt(each, 'status')}`,
  );
  expect(conditions).toContain('Terminating True');
  expect(refusalOf(await api.send('POST', widgets, { body: widget('c') }))).toBe(
    '405 MethodNotAllowed: create not allowed while custom resource definition is terminating',
  );
  await api.patch(`${widgets}/b`, 'merge', { metadata: { finalizers: null } });
  await api.embedded.server.settled();
  expect((await api.get(path)).status).toBe(404);
  expect(refusalOf(await api.get(widgets))).toBe('404 -: 404 page not found\n');
  await defineWidgets(api);
  expect((await api.get(widgets)).body['items']).toEqual([]);
  expect(api.problems).toEqual([]);
});

test('objects created while their namespace terminates do not outlive it', async () => {
  await using server = await openServer({ controllers: ['namespace'] });
  await server.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 't' } });
  const path = '/api/v1/namespaces/t/configmaps';
  const outcomes: number[] = [];
  const done = new AbortController();
  const writer = async (id: string): Promise<void> => {
    for (let count = 0; !done.signal.aborted && count < 2000; count += 1)
      outcomes.push((await server.request('POST', path, configMap(`${id}-${count}`))).status);
  };
  const writers = ['a', 'b', 'c'].map(writer);
  await server.until(`${path}/b-20`, ({ status }) => status === 200);
  await server.request('DELETE', '/api/v1/namespaces/t');
  await server.until('/api/v1/namespaces/t', ({ status }) => status === 404);
  done.abort();
  await Promise.all(writers);
  expect(outcomes.filter((status) => ![201, 403, 404].includes(status))).toEqual([]);
  expect(outcomes).toContain(403);
  expect(
    listAt((await server.get('/api/v1/configmaps')).body, 'items').filter(
      (each) => textAt(each, 'metadata', 'namespace') === 't',
    ),
  ).toEqual([]);
  expect(server.problems).toEqual([]);
});
