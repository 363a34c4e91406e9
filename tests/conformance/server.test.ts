import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpsApi } from '../support/https-api.ts';
import { targets, type OpenTarget } from './target.ts';

const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';

const configMap = (name: string, data: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const deployment = (name: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'img:1' }] } },
  },
});

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.conformance.example.com' },
  spec: {
    group: 'conformance.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer', minimum: 1, default: 3 }, colour: { type: 'string' } },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

/** The same cases against every server that is at hand: what a case says here holds on a real cluster. */
describe.for(targets(process.env['KUBEBUILDER_ASSETS']).map((target) => [target.name, target] as const))(
  'on %s',
  ([, target]) => {
    let open: OpenTarget;
    let api: HttpsApi;
    const space = '/api/v1/namespaces/conformance';
    const maps = `${space}/configmaps`;
    const apps = '/apis/apps/v1/namespaces/conformance/deployments';

    beforeAll(async () => {
      open = await target.open();
      api = open.api;
      await api.create('/api/v1/namespaces', { metadata: { name: 'conformance' } });
    });
    afterAll(async () => {
      await open.close();
    });

    test('the server sets uid, creationTimestamp and resourceVersion', async () => {
      const made = await api.create(maps, configMap('w1', { a: '1' }));
      expect(made.metadata).toMatchObject({
        namespace: 'conformance',
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
        resourceVersion: expect.stringMatching(/^\d+$/) as string,
      });
    });

    test('generateName gives five letters', async () => {
      const made = await api.create(maps, { metadata: { generateName: 'gen-' } });
      expect(made.metadata?.name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    });

    test('an update with an old version is a conflict', async () => {
      const made = await api.create(maps, configMap('w4', { a: '1' }));
      await api.send('PUT', `${maps}/w4`, { ...made, data: { a: '2' } });
      const { status, body } = await api.send('PUT', `${maps}/w4`, { ...made, data: { a: '3' } });
      expect([status, body['reason']]).toEqual([409, 'Conflict']);
    });

    test('the body may not name another object than the URL', async () => {
      await api.create(maps, configMap('w6', {}));
      const { status, body } = await api.send('PUT', `${maps}/w6`, configMap('other', {}));
      expect([status, body['message']]).toEqual([
        400,
        'the name of the object (other) does not match the name on the URL (w6)',
      ]);
    });

    test('a write that changes nothing keeps the version', async () => {
      const made = await api.create(maps, configMap('w8', { a: '1' }));
      const { body } = await api.send('PATCH', `${maps}/w8`, { data: { a: '1' } }, merge);
      expect(body.metadata?.resourceVersion).toBe(made.metadata?.resourceVersion);
    });

    test('a deployment gets its defaults, and its generation follows the spec', async () => {
      const made = await api.create(apps, deployment('w9'));
      expect(made['spec']).toMatchObject({
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      });
      const labelled = await api.send('PATCH', `${apps}/w9`, { metadata: { labels: { a: 'b' } } }, merge);
      const scaled = await api.send('PATCH', `${apps}/w9`, { spec: { replicas: 2 } }, merge);
      expect([labelled, scaled].map(({ body }) => body.metadata?.['generation'])).toEqual([1, 2]);
    });

    test('the main endpoint does not write the status, and /status nothing else', async () => {
      await api.create(apps, deployment('w10'));
      const main = await api.send('PATCH', `${apps}/w10`, { status: { replicas: 7 } }, merge);
      expect(main.body['status']).toEqual({});
      const change = { spec: { replicas: 9 }, status: { replicas: 7 } };
      const status = await api.send('PATCH', `${apps}/w10/status`, change, merge);
      expect([status.body['spec'], status.body['status']]).toMatchObject([{ replicas: 1 }, { replicas: 7 }]);
    });

    test('an invalid name is refused with its field', async () => {
      const { status, body } = await api.send('POST', maps, configMap('E_1', {}));
      expect(status).toBe(422);
      expect(body['details']).toMatchObject({
        causes: [{ reason: 'FieldValueInvalid', field: 'metadata.name' }],
      });
    });

    test('a namespace that does not exist takes no objects', async () => {
      const { status, body } = await api.send(
        'POST',
        '/api/v1/namespaces/nowhere/configmaps',
        configMap('a', {}),
      );
      expect([status, body['message']]).toEqual([404, 'namespaces "nowhere" not found']);
    });

    test('an unknown field is refused when the client asks for strictness', async () => {
      const { status, body } = await api.send('POST', `${maps}?fieldValidation=Strict`, {
        ...configMap('w15', {}),
        bogus: 1,
      });
      expect(status).toBe(400);
      expect(body['message']).toContain('strict decoding error: unknown field "bogus"');
    });

    test('a dry run stores nothing', async () => {
      const { status } = await api.send('POST', `${maps}?dryRun=All`, configMap('w16', {}));
      const after = await api.send('GET', `${maps}/w16`);
      expect([status, after.status]).toEqual([201, 404]);
    });

    test('JSON patch, merge patch and strategic merge patch', async () => {
      await api.create(apps, deployment('p1'));
      await api.send(
        'PATCH',
        `${apps}/p1`,
        [{ op: 'add', path: '/metadata/labels', value: { a: '1' } }],
        jsonPatch,
      );
      await api.send('PATCH', `${apps}/p1`, { spec: { paused: true } }, merge);
      const containers = [{ name: 'side', image: 'side:1' }];
      const change = { spec: { template: { spec: { containers } } } };
      const { body } = await api.send('PATCH', `${apps}/p1`, change, strategic);
      expect(body).toMatchObject({ metadata: { labels: { a: '1' } }, spec: { paused: true } });
      const names = (body['spec'] as { template: { spec: { containers: { name: string }[] } } }).template
        .spec;
      expect(names.containers.map(({ name }) => name).sort()).toEqual(['c', 'side']);
    });

    test('two appliers conflict over a field, and force settles it', async () => {
      const at = (manager: string, more = ''): string => `${maps}/p6?fieldManager=${manager}${more}`;
      const first = await api.send('PATCH', at('one'), configMap('p6', { a: '1' }), apply);
      const refused = await api.send('PATCH', at('two'), configMap('p6', { a: '2' }), apply);
      const forced = await api.send('PATCH', at('two', '&force=true'), configMap('p6', { a: '2' }), apply);
      expect([first.status, refused.status, forced.status]).toEqual([201, 409, 200]);
      expect(refused.body['message']).toBe('Apply failed with 1 conflict: conflict with "one": .data.a');
      expect(forced.body['data']).toEqual({ a: '2' });
    });

    test('pages come from one snapshot', async () => {
      const labelled = (name: string): object => ({ metadata: { name, labels: { page: 'r3' } } });
      for (const name of ['r3-a', 'r3-b', 'r3-c']) await api.create(maps, labelled(name));
      const first = await api.send('GET', `${maps}?limit=2&labelSelector=page%3Dr3`);
      await api.send('DELETE', `${maps}/r3-c`);
      const token = encodeURIComponent(String(first.body.metadata?.['continue']));
      const second = await api.send('GET', `${maps}?limit=2&labelSelector=page%3Dr3&continue=${token}`);
      const names = ({ body }: typeof first): unknown =>
        (body['items'] as { metadata: { name: string } }[]).map((item) => item.metadata.name);
      expect([names(first), names(second)]).toEqual([['r3-a', 'r3-b'], ['r3-c']]);
      expect(second.body.metadata?.resourceVersion).toBe(first.body.metadata?.resourceVersion);
    });

    test('a watch tells entering, changing and leaving a selection', async () => {
      const start = await api.create(maps, configMap('r5-start', {}));
      await api.create(maps, { metadata: { name: 'r5', labels: { app: 'x' } } });
      await api.send('PATCH', `${maps}/r5`, { data: { a: '1' } }, merge);
      await api.send('PATCH', `${maps}/r5`, { metadata: { labels: { app: 'y' } } }, merge);
      const path = `${maps}?watch=true&labelSelector=app%3Dx&resourceVersion=${start.metadata?.resourceVersion}`;
      const seen: string[] = [];
      for await (const event of api.watch(path)) {
        seen.push(event.type);
        if (seen.length === 3) break;
      }
      expect(seen).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    });

    test('a watch list ends with the annotated bookmark', async () => {
      const options = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      const isEnd = ({ type }: { type: string }): boolean => type === 'BOOKMARK';
      const { object } = await api.seen(`${maps}?watch=true&${options}`, isEnd);
      expect(object.metadata?.['annotations']).toMatchObject({ 'k8s.io/initial-events-end': 'true' });
    });

    test('a selector that cannot be parsed is a bad request', async () => {
      const { status, body } = await api.send('GET', `${maps}?labelSelector=a%20b%20c`);
      expect([status, body['reason']]).toEqual([400, 'BadRequest']);
    });

    test('finalizers hold a deleted object until the last one leaves', async () => {
      await api.create(maps, { metadata: { name: 'g3', finalizers: ['example.com/hold'] } });
      const deleted = await api.send('DELETE', `${maps}/g3`);
      expect(deleted.body.metadata).toHaveProperty('deletionTimestamp');
      await api.send('PATCH', `${maps}/g3`, { metadata: { finalizers: null } }, merge);
      expect((await api.send('GET', `${maps}/g3`)).status).toBe(404);
    });

    test('deletecollection deletes what the selector matches', async () => {
      for (const name of ['r15-a', 'r15-b'])
        await api.create(maps, { metadata: { name, labels: { c: 'r15' } } });
      await api.send('DELETE', `${maps}?labelSelector=c%3Dr15`);
      const { body } = await api.send('GET', `${maps}?labelSelector=c%3Dr15`);
      expect(body['items']).toEqual([]);
    });

    test('C2–C6: a definition is established, and its objects are defaulted, pruned and validated', async () => {
      const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await api.create(crds, widgets);
      const named = `${crds}?watch=true&fieldSelector=metadata.name%3Dwidgets.conformance.example.com`;
      await api.seen(named, ({ object }) =>
        JSON.stringify(object['status']).includes('InitialNamesAccepted'),
      );
      const path = '/apis/conformance.example.com/v1/namespaces/conformance/widgets';
      while ((await api.text(path)).status !== 200);
      const kind = { apiVersion: 'conformance.example.com/v1', kind: 'Widget' };
      const made = await api.create(path, {
        ...kind,
        metadata: { name: 'a' },
        spec: { colour: 'red', odd: 1 },
      });
      expect(made['spec']).toEqual({ colour: 'red', size: 3 });
      const refused = await api.send('POST', path, { ...kind, metadata: { name: 'b' }, spec: { size: 0 } });
      expect(refused.body['message']).toContain(
        'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      );
    });

    test('unknown paths and unknown resources are told apart', async () => {
      const path = await api.text('/apis/nowhere.example.com/v1/things');
      const resource = await api.send('GET', `${space}/bogus`);
      expect([path.status, path.text]).toEqual([404, '404 page not found\n']);
      expect(resource.body['message']).toBe('the server could not find the requested resource');
    });
  },
);
