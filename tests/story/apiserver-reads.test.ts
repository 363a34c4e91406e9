import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seconds } from '#base/time.ts';
import { openApi, type Answer, type BareApi } from '../support/bare-api.ts';
import {
  configMap,
  configMaps,
  defineWidgets,
  metaText,
  namesIn,
  pod,
  pods,
  readyForPods,
  refusalOf,
  widget,
  widgets,
} from '../support/story-objects.ts';

const labelled = async (api: BareApi, labels: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, app] of Object.entries(labels))
    await api.create(configMaps, configMap(name, { data: { k: name } }, { labels: { app } }));
};

test('lists are in the order of names, and have their kind', async () => {
  await using api = await openApi();
  for (const name of ['b', 'a-b', 'a.b', 'a', 'a0', 'ab']) await api.create(configMaps, configMap(name));
  const list = await api.get(configMaps);
  expect(namesIn(list)).toEqual(['a', 'a-b', 'a.b', 'a0', 'ab', 'b']);
  expect(list.body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
  expect(listAt(list.body, 'items')[0]).not.toHaveProperty('kind');
  await defineWidgets(api);
  await api.create(widgets, widget('w'));
  const custom = await api.get(widgets);
  expect(custom.body).toMatchObject({ kind: 'WidgetList', metadata: { continue: '' } });
  expect(listAt(custom.body, 'items')[0]).toMatchObject({ kind: 'Widget', apiVersion: 'example.com/v1' });
  expect((await api.get('/api/v1/namespaces/none/pods')).body['items']).toEqual([]);
});

const selectors: readonly (readonly [query: string, names: string])[] = [
  ['labelSelector=app%3Dx', 'a c'],
  ['labelSelector=app%3D%3Dy', 'b'],
  ['labelSelector=app!%3Dx', 'b'],
  ['labelSelector=app%20in%20(x,z)', 'a c'],
  ['labelSelector=app%20notin%20(x)', 'b'],
  ['labelSelector=app', 'a b c'],
  ['labelSelector=!app', ''],
  ['labelSelector=app%3Dx,app!%3Dy', 'a c'],
  ['labelSelector=', 'a b c'],
  ['fieldSelector=metadata.name%3Da', 'a'],
  ['fieldSelector=metadata.name!%3Da', 'b c'],
  ['fieldSelector=metadata.name%3Da,metadata.name%3Db', ''],
  ['fieldSelector=metadata.namespace%3Ddefault', 'a b c'],
  ['fieldSelector=metadata.namespace%3Dother', ''],
  ['fieldSelector=metadata.name%3Da&labelSelector=app%3Dy', ''],
];
const badSelectors: readonly (readonly [query: string, said: string])[] = [
  [
    'labelSelector=a%20b%20c',
    "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  ],
  [
    'fieldSelector=data.k%3Da',
    '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  ['fieldSelector=bogus', "invalid selector: 'bogus'; can't understand 'bogus'"],
];

test('selectors choose', async () => {
  await using api = await openApi();
  await labelled(api, { a: 'x', b: 'y', c: 'x' });
  for (const [query, names] of selectors) {
    expect([query, namesIn(await api.get(`${configMaps}?${query}`)).join(' ')]).toEqual([query, names]);
    if (!query.includes('fieldSelector=metadata.namespace')) {
      const everywhere = await api.get(`/api/v1/configmaps?${query}`);
      expect([query, namesIn(everywhere).join(' ')]).toEqual([query, names]);
    }
  }
  for (const [query, said] of badSelectors)
    expect(refusalOf(await api.get(`${configMaps}?${query}`))).toBe(`400 BadRequest: ${said}`);
});

test('pods are chosen by their node, phase and more', async () => {
  await using api = await openApi();
  await readyForPods(api);
  await api.create(pods, pod('a', { nodeName: 'n1' }));
  await api.create(pods, pod('b', { restartPolicy: 'Never' }));
  await api.patch(`${pods}/b/status`, 'merge', { status: { phase: 'Running', podIP: '10.1.0.1' } });
  const chosen = async (selector: string): Promise<string> =>
    namesIn(await api.get(`${pods}?fieldSelector=${encodeURIComponent(selector)}`)).join(' ');
  expect(await chosen('spec.nodeName=n1')).toBe('a');
  expect(await chosen('spec.nodeName=')).toBe('b');
  expect(await chosen('status.phase!=Running')).toBe('a');
  expect(await chosen('spec.restartPolicy=Never')).toBe('b');
  expect(await chosen('status.podIP=10.1.0.1')).toBe('b');
  expect(await chosen('spec.hostNetwork=false')).toBe('a b');
  expect(await chosen('spec.serviceAccountName=default,metadata.name=a')).toBe('a');
  expect(refusalOf(await api.get(`${pods}?fieldSelector=spec.containers%3Dx`))).toBe(
    '400 BadRequest: field label not supported: spec.containers',
  );
});

/** All pages, with something done between any two. */
async function pages(
  api: BareApi,
  path: string,
  limit: number,
  between: (page: number) => Promise<void>,
): Promise<readonly Answer[]> {
  const found: Answer[] = [];
  let token = '';
  do {
    const more: string = token === '' ? '' : `&continue=${token}`;
    const page = await api.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${more}`);
    expect(page.status).toBe(200);
    found.push(page);
    token = metaText(page, 'continue') ?? '';
    await between(found.length);
  } while (token !== '');
  return found;
}

type Meddling = readonly (readonly [name: string, act: 'make' | 'change' | 'remove'])[];
const names = 'abcdefgh'.split('');
const meddling: fc.Arbitrary<Meddling> = fc.array(
  fc.tuple(fc.constantFrom(...names, 'aa', 'zz'), fc.constantFrom('make', 'change', 'remove')),
  { maxLength: 4 },
);

let changes = 0;

async function meddle(api: BareApi, acts: Meddling): Promise<void> {
  for (const [name, act] of acts) {
    const path = `${configMaps}/${name}`;
    if (act === 'make')
      await api.send('POST', configMaps, { body: configMap(name, {}, { labels: { app: 'x' } }) });
    else if (act === 'remove') await api.send('DELETE', path);
    else await api.patch(path, 'json', [{ op: 'add', path: '/data', value: { n: String((changes += 1)) } }]);
  }
}

test('pages are one list as of one moment, whatever is written between them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(meddling, { minLength: 8, maxLength: 8 }),
      fc.constantFrom('', '?labelSelector=app%3Dx'),
      fc.constantFrom(configMaps, '/api/v1/configmaps'),
      async (meddlings, query, base) => {
        await using api = await openApi();
        for (const name of names)
          await api.create(configMaps, configMap(name, {}, { labels: { app: name < 'e' ? 'x' : 'y' } }));
        for (let limit = 1; limit <= names.length + 1; limit += 1) {
          const whole = await api.get(`${base}${query}`);
          const total = listAt(whole.body, 'items').length;
          const found = await pages(api, `${base}${query}`, limit, (page) =>
            meddle(api, meddlings[page % 8] ?? []),
          );
          expect(found.flatMap(({ body }) => listAt(body, 'items'))).toEqual(listAt(whole.body, 'items'));
          let seen = 0;
          for (const page of found) {
            seen += listAt(page.body, 'items').length;
            expect(metaText(page, 'resourceVersion')).toBe(metaText(whole, 'resourceVersion'));
            const remaining = numberAt(page.body, 'metadata', 'remainingItemCount');
            expect(remaining).toBe(query !== '' || seen === total ? undefined : total - seen);
          }
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('a page of a compacted revision is gone, but a client can continue without it', async () => {
  await using api = await openApi({ history: { age: 0, atLeast: 2, atMost: 5, bytes: 1_000_000 } });
  await labelled(api, { a: 'x', b: 'x', c: 'x', d: 'x' });
  const first = await api.get(`${configMaps}?limit=2`);
  await labelled(api, { e: 'x', f: 'x', g: 'x', h: 'x', i: 'x', j: 'x' });
  await api.send('DELETE', `${configMaps}/c`);
  const gone = await api.get(`${configMaps}?limit=2&continue=${metaText(first, 'continue')}`);
  expect([gone.status, gone.body['reason']]).toEqual([410, 'Expired']);
  expect(gone.body['message']).toMatch(
    /^The provided continue parameter is too old to display a consistent list result\. You can start a new list/,
  );
  const rest = await api.get(`${configMaps}?continue=${metaText(gone, 'continue')}`);
  expect(namesIn(rest)).toEqual(['d', 'e', 'f', 'g', 'h', 'i', 'j']);
  const old = metaText(first, 'resourceVersion') ?? '';
  expect(refusalOf(await api.get(`${configMaps}?resourceVersion=${old}&resourceVersionMatch=Exact`))).toBe(
    `410 Expired: The resourceVersion for the provided list is too old: ${old}`,
  );
});

test('an exact revision is the past, any other the present', async () => {
  await using api = await openApi();
  await labelled(api, { a: 'x', b: 'x' });
  const then = metaText(await api.get(configMaps), 'resourceVersion') ?? '';
  await labelled(api, { c: 'x' });
  await api.send('DELETE', `${configMaps}/a`);
  const seen = async (query: string): Promise<string> =>
    namesIn(await api.get(`${configMaps}?${query}`)).join(' ');
  expect(await seen(`resourceVersion=${then}&resourceVersionMatch=Exact`)).toBe('a b');
  expect(await seen(`resourceVersion=${then}&resourceVersionMatch=NotOlderThan`)).toBe('b c');
  expect(await seen(`resourceVersion=${then}`)).toBe('b c');
  expect(await seen('resourceVersion=0&limit=1')).toBe('b c');
  const page = await api.get(`${configMaps}?resourceVersion=${then}&resourceVersionMatch=Exact&limit=1`);
  expect([metaText(page, 'resourceVersion'), numberAt(page.body, 'metadata', 'remainingItemCount')]).toEqual([
    then,
    1,
  ]);
  expect(namesIn(await api.get(`${configMaps}?limit=1&continue=${metaText(page, 'continue')}`))).toEqual([
    'b',
  ]);
});

const listOptions = '422 Invalid: ListOptions.meta.k8s.io "" is invalid: ';

test.for<readonly [query: string, said: string]>([
  [
    'resourceVersionMatch=Exact',
    `${listOptions}resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided`,
  ],
  [
    'resourceVersion=0&resourceVersionMatch=Exact',
    `${listOptions}resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"`,
  ],
  [
    'resourceVersion=1&resourceVersionMatch=Bogus',
    `${listOptions}resourceVersionMatch: Unsupported value: "Bogus": supported values: "Exact", "NotOlderThan", ""`,
  ],
  [
    'sendInitialEvents=true',
    `${listOptions}sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list`,
  ],
  [
    'watch=1&sendInitialEvents=true',
    `${listOptions}resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`,
  ],
  [
    'watch=1&resourceVersionMatch=NotOlderThan',
    `${listOptions}resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`,
  ],
  [
    'limit=1&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0&resourceVersion=5',
    '400 BadRequest: specifying resource version is not allowed when using continue',
  ],
  [
    'continue=garbage',
    String.raw`400 BadRequest: invalid continue token: continue key is not valid: invalid character '\u0081' looking for beginning of value`,
  ],
])('?%s is refused', async ([query, said]) => {
  await using api = await openApi();
  expect(refusalOf(await api.get(`${configMaps}?${query}`))).toBe(said);
});

test.for([`${configMaps}?resourceVersion=9999999`, `${configMaps}/a?resourceVersion=9999999`])(
  'a revision that does not come within three seconds is too large: %s',
  async (path) => {
    await using api = await openApi();
    await api.create(configMaps, configMap('a'));
    const asked = api.get(path);
    await api.clock.waiting();
    api.clock.advance(seconds(3));
    const answer = await asked;
    const { revision } = api.embedded.server.context.store;
    expect(refusalOf(answer)).toBe(
      `504 Timeout: Timeout: Too large resource version: 9999999, current: ${revision}`,
    );
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.body['details']).toEqual({
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    });
  },
);

test('a revision that comes is waited for', async () => {
  await using api = await openApi();
  const { store } = api.embedded.server.context;
  const asked = api.get(`${configMaps}?resourceVersion=${store.revision + 2}`);
  await labelled(api, { a: 'x', b: 'x' });
  expect(namesIn(await asked)).toEqual(['a', 'b']);
});

test('what was stored is there after a restart, history included', async () => {
  const journal = memoryJournal();
  let kept: JsonObject = {};
  let then = '';
  {
    await using api = await openApi({ journal });
    await defineWidgets(api);
    await labelled(api, { a: 'x', b: 'y' });
    then = metaText(await api.get(configMaps), 'resourceVersion') ?? '';
    await api.send('DELETE', `${configMaps}/b`);
    await api.create(widgets, widget('w', { spec: { n: 1 } }));
    kept = (await api.get(`${configMaps}/a`)).body;
  }
  await using api = await openApi({ journal });
  expect((await api.get(`${configMaps}/a`)).body).toEqual(kept);
  expect(namesIn(await api.get(configMaps))).toEqual(['a']);
  expect((await api.get(`${widgets}/w`)).body['spec']).toEqual({ n: 1 });
  expect(namesIn(await api.get(`${configMaps}?resourceVersion=${then}&resourceVersionMatch=Exact`))).toEqual([
    'a',
    'b',
  ]);
  const next = await api.create(configMaps, configMap('c'));
  expect(Number(textAt(next, 'metadata', 'resourceVersion'))).toBeGreaterThan(Number(then) + 2);
});
