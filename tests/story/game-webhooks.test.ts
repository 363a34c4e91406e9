import { afterEach, expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import type { Transport, TransportRequest } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { pods } from '#loop/owned/resources.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import {
  gameDeployment,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  type GameWorld,
} from '../support/game-world.ts';

let world: GameWorld | undefined;
afterEach(async () => {
  const ended = world;
  world = undefined;
  await ended?.[Symbol.asyncDispose]();
});

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
  const made = await openGameWorld();
  world = made;
  await made.control({ around });
  await make(made, gameDeployments, gameDeployment({ replicas: 5, ...spec }));
  await made.until(isComplete);
  broken.isBroken = true;
  const count = (): Readonly<Record<string, number>> =>
    Object.fromEntries([...Map.groupBy(sent, ({ what }) => what)].map(([what, all]) => [what, all.length]));
  return { at: made, sent, count };
}

function podWriteOf({ method, path }: TransportRequest): string | undefined {
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

async function eventsOf(at: GameWorld, reason: string): Promise<readonly string[]> {
  const resource = { ...pods, plural: 'events' };
  const found = await at.client.list(resource, { namespace: 'default' }, never);
  if (found.type !== 'ok') throw new Error('the list of events was refused');
  return found.items.flatMap((each) =>
    textAt(each, 'reason') === reason ? [textAt(each, 'message') ?? textAt(each, 'note') ?? ''] : [],
  );
}

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

test('a workload says that it waits for the patch of a pod whose deletion was lost', async () => {
  let isMended = false;
  const { at, count } = await begin((what, nth) => {
    if (what === 'DELETE' && nth === 1) return 'lost';
    return what === 'PATCH' && !isMended ? 422 : undefined;
  });
  await at.patch({ spec: { replicas: 4 } });
  await at.pass(60);
  expect(count()).toEqual({ DELETE: 1, PATCH: expect.toSatisfy((times: number) => times > 3 && times < 16) });
  const status = (await at.workload())['status'] as JsonObject;
  const why =
    /^The answer to a write of pod \S+ was lost, and the API server refuses to patch the pod: failed calling webhook\./;
  expect(status).toMatchObject({
    phase: 'Blocked',
    reason: 'FailedUpdate',
    message: expect.stringMatching(why),
  });
  expect(await eventsOf(at, 'FailedUpdate')).toEqual([expect.stringMatching(why)]);
  isMended = true;
  const workload = await at.until(isComplete, 120);
  expect(listAt(workload, 'status', 'conditions').map((each) => textAt(each, 'reason'))).not.toContain(
    'FailedUpdate',
  );
  expect(at.pods()).toHaveLength(4);
});
