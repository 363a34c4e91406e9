import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { Transport, TransportRequest } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { releaseVerdict } from '#releases/decide/view/release-verdict.ts';
import { eventsOf } from '../support/act.ts';
import {
  gameDeployment,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  type GameWorld,
} from '../support/game-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

/** What happens to a write of a pod, by its number: its answer is lost, it is answered with a code, or nothing. */
type Fault = (what: string, nth: number) => 'lost' | number | undefined;

/** Five pods, and from then on a server, or an admission webhook, that treats writes of pods so. */
async function begin(fault: Fault, spec: JsonObject = {}) {
  const sent: { readonly what: string; readonly at: number }[] = [];
  const broken = { isBroken: false };
  const around =
    (direct: Transport): Transport =>
    async (request) => {
      const what = podWriteOf(request);
      if (!broken.isBroken || what === undefined) return direct(request);
      sent.push({ what, at: made.clock.now() });
      const happens = fault(what, sent.filter((each) => each.what === what).length);
      if (happens === 'lost') throw new Unavailable('the answer was lost');
      return happens === undefined ? direct(request) : refusal(happens);
    };
  const made = await closedAfterTest(openGameWorld());
  await made.control({ around });
  await make(made, gameDeployments, gameDeployment({ replicas: 5, ...spec }));
  await made.until(isComplete);
  broken.isBroken = true;
  const count = (): Readonly<Record<string, number>> =>
    Object.fromEntries([...Map.groupBy(sent, ({ what }) => what)].map(([what, all]) => [what, all.length]));
  return { at: made, sent, count };
}

function podWriteOf({ method, path }: TransportRequest): string | undefined {
  if (method === 'POST' && path.endsWith('/pods')) return method;
  if (method === 'GET' || !/\/pods\/[^/?]+/.test(path)) return undefined;
  return path.endsWith('/status') ? `${method} status` : method;
}

const refusal = (status: number) => ({
  status,
  headers: {},
  text: () =>
    Promise.resolve(JSON.stringify({ kind: 'Status', code: status, message: 'failed calling webhook' })),
  lines: () => {
    throw new Error('a refusal is read as a whole');
  },
});

test.for([
  { fails: 'DELETE', code: 500, change: { spec: { replicas: 4 } }, reason: 'FailedDelete', left: 4 },
  { fails: 'DELETE', code: 429, change: { spec: { replicas: 4 } }, reason: 'FailedDelete', left: 4 },
  { fails: 'PATCH status', code: 500, change: image('2'), reason: undefined, left: 5 },
] as const)(
  'while each $fails of a pod is answered with $code, it is tried ever more rarely',
  async ({ fails, code, change, reason, left }) => {
    let isMended = false;
    const update = { updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 1 } };
    const { at, count } = await begin((what) => (what === fails && !isMended ? code : undefined), update);
    await at.patch(change);
    await at.pass(60);
    expect(count()[fails]).toBeGreaterThan(5);
    expect(count()[fails]).toBeLessThan(16);
    expect(count()['PATCH'] ?? 0).toBeLessThan(16);
    if (reason !== undefined)
      expect(await eventsOf(at, reason)).toEqual([
        expect.stringMatching(`^Error deleting: .*${code}.*failed calling webhook`),
      ]);
    isMended = true;
    await at.until(isComplete, 120);
    expect(at.pods()).toHaveLength(left);
    expect(at.observer.complaints).toEqual([]);
  },
);

const statusOf = async (at: GameWorld): Promise<JsonObject> => objectAt(await at.workload(), 'status') ?? {};

const inPlace = { updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 1 } };
const fewer = { spec: { replicas: 4 } };
const firstLost =
  (then: string, code: number): Fault =>
  (what, nth) =>
    what === 'DELETE' && nth === 1 ? 'lost' : what === then ? code : undefined;
const all =
  (which: string, code: number): Fault =>
  (what) =>
    what === which ? code : undefined;

test.for<{ what: string; fault: Fault; change: JsonObject; spec?: JsonObject }>([
  {
    what: 'changes of a pod after a lost deletion are forbidden',
    fault: firstLost('PATCH', 403),
    change: fewer,
  },
  { what: 'changes of a pod after a lost deletion fail', fault: firstLost('PATCH', 500), change: fewer },
  {
    what: 'a webhook answers conflicts to changes of a pod after a lost deletion',
    fault: firstLost('PATCH', 409),
    change: fewer,
  },
  { what: 'updates in place fail', fault: all('PATCH', 500), change: image('2'), spec: inPlace },
  { what: 'updates of a status fail', fault: all('PATCH status', 500), change: image('2'), spec: inPlace },
  { what: 'deletions fail', fault: all('DELETE', 500), change: fewer },
  { what: 'creations fail', fault: all('POST', 500), change: { spec: { replicas: 6 } } },
])('a workload says why it does not go on while $what', async ({ fault, change, spec }) => {
  let isMended = false;
  const { at } = await begin((what, nth) => (isMended ? undefined : fault(what, nth)), {
    progressDeadlineSeconds: 20,
    ...spec,
  });
  await at.pass(40);
  await at.patch(change);
  await at.pass(15);
  const why = /^A write of a pod or HookRun is not confirmed, .*failed calling webhook/;
  expect(await statusOf(at)).toMatchObject({
    phase: 'Blocked',
    reason: 'FailedUpdate',
    message: expect.stringMatching(why),
    observedGeneration: 2,
  });
  expect(await eventsOf(at, 'FailedUpdate')).toEqual([expect.stringMatching(why)]);
  expect(releaseVerdict(await at.workload())).toMatchObject({ type: 'blocked-for-now' });
  isMended = true;
  const workload = await at.until(isComplete, 60);
  expect(listAt(workload, 'status', 'conditions').map((each) => textAt(each, 'reason'))).not.toContain(
    'FailedUpdate',
  );
  expect(await eventsOf(at, 'ProgressDeadlineExceeded')).toEqual([]);
  expect(at.observer.complaints).toEqual([]);
});

test('a short loss is not reported in the status', async () => {
  const { at } = await begin((what, nth) => (what === 'DELETE' && nth <= 3 ? 500 : undefined));
  await at.patch(fewer);
  await at.until(isComplete, 10);
  expect(await eventsOf(at, 'FailedUpdate')).toEqual([]);
  expect(await eventsOf(at, 'FailedDelete')).toHaveLength(1);
});

test('a change by a user does not wait for the next attempt', async () => {
  const { at } = await begin(all('DELETE', 500));
  await at.patch(fewer);
  await at.pass(75);
  await at.patch({ spec: { replicas: 5 } });
  await at.until(isComplete, 1);
});

test.for([7, 3])('a release goes on while one of %i writes of pods fails', async (every) => {
  let sent = 0;
  const { at } = await begin(
    (what) => {
      if (!what.startsWith('PATCH')) return undefined;
      sent += 1;
      return sent % every === 0 ? 500 : undefined;
    },
    {
      replicas: 60,
      updateStrategy: {
        type: 'InplaceUpdate',
        maxUnavailable: '25%',
        inPlaceUpdateStrategy: { gracePeriodSeconds: 2 },
      },
    },
  );
  await at.patch(image('2'));
  await at.until(isComplete, 60);
  expect(at.observer.complaints).toEqual([]);
});

test('a lost deletion does not arrive after a conflict that is none of the version', async () => {
  let late: { readonly request: TransportRequest; readonly direct: Transport } | undefined;
  let conflicts = 0;
  const at = await closedAfterTest(openGameWorld());
  let isBroken = false;
  const around =
    (direct: Transport): Transport =>
    async (request) => {
      const what = isBroken ? podWriteOf(request) : undefined;
      if (what === 'DELETE' && late === undefined) {
        late = { request, direct };
        throw new Unavailable('the answer was lost');
      }
      if (what !== 'PATCH' || conflicts > 0) return direct(request);
      conflicts += 1;
      return refusal(409);
    };
  await at.control({ around });
  await make(at, gameDeployments, gameDeployment({ replicas: 5 }));
  await at.until(isComplete);
  isBroken = true;
  await at.patch(fewer);
  await at.settle();
  await at.patch({ spec: { replicas: 5 } });
  await at.until(isComplete);
  const answer = await late?.direct({ ...late.request, signal: never });
  expect({ conflicts, late: answer?.status }).toEqual({ conflicts: 1, late: 409 });
  expect(at.pods()).toHaveLength(5);
});
