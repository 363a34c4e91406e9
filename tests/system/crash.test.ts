import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { launchBoathook, startBoathook, type Boathook } from '../support/boathook.ts';
import { openApi, type HttpsApi, type Thing } from '../support/https-api.ts';
import { WriteLog } from '../support/write-log.ts';

const kills = 100;
const killsDuringStart = 10;
const clients = 8;
/** Writes that a life answers at most, before its kill. */
const mostAnswers = 80;
const configMaps = '/api/v1/namespaces/default/configmaps';
const selector = 'labelSelector=crash%3Dtest';
const upTo = (limit: number): number => Math.floor(Math.random() * limit);

type Stored = { readonly value: string; readonly revision: number };
const nameOf = ({ metadata }: Thing): string => metadata?.name ?? '';
const revisionOf = ({ metadata }: Thing): number => Number(metadata?.resourceVersion);
const valueOf = (object: Thing): string => (object['data'] as { value: string }).value;

test(`a server that is killed ${kills} times under load keeps every write it acknowledged`, async () => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  const log = new WriteLog();
  for (let round = 0; round < kills; round++) {
    if (round % (kills / killsDuringStart) === 0) await killDuringStart(dataDir);
    await using server = await startBoathook({ dataDir, flags: ['--controllers', 'none'] });
    await oneLife(server, log, round);
    expect(log.complaints, `after ${round} kills`).toEqual([]);
  }
  await using server = await startBoathook({ dataDir });
  await using api = openApi(server.access);
  await compare(api, log);
  const last = await write(api, log, 'last', 'create');
  for await (const { type, object } of api.watch(watchPath(log))) {
    expect(type).not.toBe('ERROR');
    log.tell(nameOf(object), type === 'DELETED' ? undefined : valueOf(object), revisionOf(object));
    if (revisionOf(object) === last) break;
  }
  expect(log.complaints).toEqual([]);
  expect(log.untold()).toEqual([]);
  // Without a heavy load and answers cut off in the middle this test would prove little.
  expect(log.answers).toBeGreaterThan(kills * 20);
  expect(log.doubts).toBeGreaterThan(kills);
});

/** One run of the server: what it holds is compared, then clients write until it is killed. */
async function oneLife(server: Boathook, log: WriteLog, round: number): Promise<void> {
  await using api = openApi(server.access, { connections: clients + 1 });
  await compare(api, log);
  const life = new AbortController();
  const working = Array.from({ length: clients }, (_, at) =>
    work(api, log, { life, prefix: `c${at}-`, round }),
  );
  const all = Promise.all([...working, follow(api, log, life.signal)]);
  // A client that fails before the kill ends this life at once.
  await Promise.race([log.moreAnswers(upTo(mostAnswers)), all]);
  life.abort();
  await server.stop('SIGKILL');
  await all;
}

/** Killed before, while or just after it opened its store. */
async function killDuringStart(dataDir: string): Promise<void> {
  const server = launchBoathook(['up', '--data-dir', dataDir, '--port', '0']);
  await delay(100 + upTo(250));
  await server.stop('SIGKILL');
}

type Worker = { readonly life: AbortController; readonly prefix: string; readonly round: number };

/** Writes one thing after another until the server is gone. */
async function work(api: HttpsApi, log: WriteLog, { life, prefix, round }: Worker): Promise<void> {
  try {
    for (let count = 0; ; count++) {
      const present = log.present(prefix);
      const chosen = present[upTo(present.length)];
      const dice = upTo(10);
      if (chosen === undefined || (dice < 4 && present.length < 40))
        await write(api, log, `${prefix}${round}-${count}`, 'create');
      else await write(api, log, chosen, dice < 7 ? 'update' : 'delete');
    }
  } catch (error) {
    // The connection breaks when the server is killed, and at no other time.
    if (!life.signal.aborted || error instanceof Refused) throw error;
  }
}

class Refused extends Error {}

let writes = 0;

/** Sends one write and logs the answer, if there is one. */
async function write(
  api: HttpsApi,
  log: WriteLog,
  name: string,
  verb: 'create' | 'update' | 'delete',
): Promise<number> {
  const value = verb === 'delete' ? undefined : `v${++writes}`;
  log.begin(name, value);
  const object = { metadata: { name, labels: { crash: 'test' } }, data: { value, filler: 'x'.repeat(500) } };
  const { status, body } =
    verb === 'create'
      ? await api.send('POST', configMaps, object)
      : verb === 'update'
        ? await api.send('PUT', `${configMaps}/${name}`, object)
        : await api.send('DELETE', `${configMaps}/${name}`);
  if (status !== (verb === 'create' ? 201 : 200))
    throw new Refused(`${verb} of ${name} answered ${status}: ${JSON.stringify(body)}`);
  log.acknowledge(name, verb === 'delete' ? undefined : revisionOf(body));
  return revisionOf(body);
}

const watchPath = (log: WriteLog): string =>
  `${configMaps}?${selector}&watch=true&resourceVersion=${log.lastTold}`;

async function follow(api: HttpsApi, log: WriteLog, life: AbortSignal): Promise<void> {
  try {
    for await (const { type, object } of api.watch(watchPath(log))) {
      if (type === 'ERROR') throw new Refused(`the watch ended with ${JSON.stringify(object)}`);
      log.tell(nameOf(object), type === 'DELETED' ? undefined : valueOf(object), revisionOf(object));
    }
    if (!life.aborted) await once(life, 'abort');
  } catch (error) {
    if (!life.aborted || error instanceof Refused) throw error;
  }
}

async function compare(api: HttpsApi, log: WriteLog): Promise<void> {
  const { status, body } = await api.send('GET', `${configMaps}?${selector}`);
  expect(status).toBe(200);
  const found = new Map<string, Stored>();
  for (const item of body['items'] as readonly Thing[])
    found.set(nameOf(item), { value: valueOf(item), revision: revisionOf(item) });
  log.compare(found, revisionOf(body));
}

/** A log in which one object was created at revision 5. */
function logWithOne(): WriteLog {
  const log = new WriteLog();
  log.begin('a', 'v1');
  log.acknowledge('a', 5);
  return log;
}
const holding = (value: string, revision: number): ReadonlyMap<string, Stored> =>
  new Map([['a', { value, revision }]]);

test.for<{ what: string; deed: (log: WriteLog) => void; complaints: readonly string[] }>([
  { what: 'a store that kept its word', deed: (log) => log.compare(holding('v1', 5), 5), complaints: [] },
  {
    what: 'a lost write',
    deed: (log) => log.compare(new Map(), 5),
    complaints: ['a is lost: v1 was acknowledged'],
  },
  {
    what: 'a store that went back',
    deed: (log) => log.compare(holding('v1', 5), 4),
    complaints: ['the store is at 4, but 5 was handed out'],
  },
  {
    what: 'an object that came back',
    deed(log) {
      log.begin('a', undefined);
      log.acknowledge('a', undefined);
      log.compare(holding('v1', 5), 6);
    },
    complaints: ['a is back with v1'],
  },
  {
    what: 'a lost update',
    deed(log) {
      log.begin('a', 'v2');
      log.acknowledge('a', 6);
      log.compare(holding('v1', 5), 6);
    },
    complaints: ['a holds v1 at 5, not v2 at 6'],
  },
  {
    what: 'a revision that was handed out twice',
    deed(log) {
      log.begin('b', 'v2');
      log.acknowledge('b', 5);
    },
    complaints: [
      'b got revision 5, though 5 was out before it was asked',
      'revision 5 was handed out twice: for a=v1 and for b=v2',
    ],
  },
  {
    what: 'a write in doubt that did not happen',
    deed(log) {
      log.begin('a', 'v2');
      log.compare(holding('v1', 5), 5);
    },
    complaints: [],
  },
  {
    what: 'a write in doubt that happened',
    deed(log) {
      log.begin('a', 'v2');
      log.compare(holding('v2', 6), 6);
    },
    complaints: [],
  },
  {
    what: 'a watch that told of a write which then vanished',
    deed(log) {
      log.tell('a', 'v1', 5);
      log.tell('b', 'v9', 6);
      log.compare(holding('v1', 5), 5);
    },
    complaints: ['the store is at 5, but 6 was handed out'],
  },
])('the judge sees $what', ({ deed, complaints }) => {
  const log = logWithOne();
  deed(log);
  expect(log.complaints).toEqual(complaints);
});
