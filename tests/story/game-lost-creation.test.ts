import { expect, test } from 'vitest';
import { listAt, textAt } from '#base/json.ts';
import { millis } from '#base/time.ts';
import type { Transport, TransportRequest, TransportResponse } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { pods } from '#loop/owned/resources.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
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
import { heldWatches } from '../support/held-watches.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

const imageOf = (pod: KubeObject): string => textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';
const imagesOf = (at: GameWorld): readonly string[] => at.pods().map(imageOf).toSorted();

const isPost = ({ method, path }: TransportRequest): boolean => method === 'POST' && path.endsWith('/pods');

/** What happens to a creation of a pod; undefined: nothing. */
type Meet = (request: TransportRequest, direct: Transport) => Promise<TransportResponse> | undefined;

/** Watches of pods that can be held back, and creations that are met once they are. */
async function begin(made: (at: GameWorld) => Promise<void>) {
  const news = heldWatches(['pods']);
  const state: { meet: Meet } = { meet: () => undefined };
  const around = (direct: Transport): Transport => {
    const held = news.around(direct);
    return (request) => (isPost(request) ? state.meet(request, direct) : undefined) ?? held(request);
  };
  const at = await closedAfterTest(openGameWorld());
  await at.control({ around });
  await made(at);
  return { at, news, state };
}

/** Three pods, of which the partition keeps one. */
async function makeKept(at: GameWorld): Promise<void> {
  const updateStrategy = { type: 'RollingUpdate', partition: 1, maxUnavailable: 1 };
  await make(at, gameDeployments, gameDeployment({ replicas: 3, updateStrategy }));
  await at.until(isComplete);
  await at.patch(image('2'));
  await at.pass(60);
  expect(imagesOf(at)).toEqual(['app:1', 'app:2', 'app:2']);
}

const keptOf = (at: GameWorld): string => nameOf(at.pods().find((pod) => imageOf(pod) === 'app:1') ?? {});

async function turns(at: GameWorld): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) {
    at.clock.advance(millis(500));
    await at.settle(false);
  }
}

const lostAnswer = (): Promise<never> => Promise.reject(new Unavailable('the answer was lost'));

/** The first creation is lost, and arrives directly before the next one. */
function arrivesLate(answers: number[], first: () => void): Meet {
  let late: TransportRequest | undefined;
  return (request, direct) => {
    if (late === undefined) {
      late = request;
      first();
      return lostAnswer();
    }
    if (answers.length > 0) return undefined;
    const { signal } = request;
    const send = async (): Promise<TransportResponse> => {
      answers.push((await direct({ ...(late ?? request), signal })).status);
      const answer = await direct(request);
      answers.push(answer.status);
      return answer;
    };
    return send();
  };
}

test.for([
  { what: 'shown late', isLost: false, isLate: false },
  { what: 'lost, and shown late', isLost: true, isLate: false },
  { what: 'lost, and arrives before it is repeated', isLost: true, isLate: true },
])('a pod that the partition keeps is made anew from its revision: $what', async ({ isLost, isLate }) => {
  const { at, news, state } = await begin(makeKept);
  const answers: number[] = [];
  let isFirst = true;
  const once: Meet = (request, direct) => {
    if (!isFirst) return undefined;
    isFirst = false;
    news.hold();
    return direct(request).then((answer) => (isLost ? lostAnswer() : answer));
  };
  state.meet = isLate ? arrivesLate(answers, () => news.hold()) : once;
  await at.deletePod(keptOf(at));
  await at.settle(false);
  if (isLate) await turns(at);
  expect(answers).toEqual(isLate ? [201, 409] : []);
  // The new one is there, and the controller has not seen it: all others have the new revision.
  await at.patch({ spec: { replicas: 2 } });
  await turns(at);
  news.release();
  await at.pass(10);
  expect(imagesOf(at)).toEqual(['app:1', 'app:2']);
  await at.deletePod(keptOf(at));
  await at.pass(10);
  expect(imagesOf(at)).toEqual(['app:1', 'app:2']);
  expect(at.observer.complaints).toEqual([]);
});

test.for([
  { resource: gameDeployments, kind: 'GameDeployment', more: {} },
  { resource: gameStatefulSets, kind: 'GameStatefulSet', more: { serviceName: 'g' } },
])(
  'a lost creation of a pod of a $kind that arrives late is no refusal',
  async ({ resource, kind, more }) => {
    const { at, state } = await begin(async (opened) => {
      await make(opened, resource, { ...gameDeployment({ replicas: 3, ...more }), kind });
      await opened.pass(10);
    });
    expect(at.pods()).toHaveLength(3);
    const answers: number[] = [];
    state.meet = arrivesLate(answers, () => undefined);
    const change = { type: 'merge', body: { spec: { replicas: 4 } } } as const;
    await at.client.patch(resource, { namespace: 'default', name: 'g' }, change, never);
    await at.pass(20);
    expect(answers).toEqual([201, 409]);
    expect(at.pods()).toHaveLength(4);
    expect(await eventsOf(at, 'FailedCreate')).toEqual(['Error creating: the answer was lost']);
  },
);

test('a pod of somebody else with the name of a lost one does not hold the others back', async () => {
  const { at, news, state } = await begin(async (opened) => {
    await make(opened, gameDeployments, gameDeployment({ replicas: 3 }));
    await opened.until(isComplete);
  });
  let isFirst = true;
  state.meet = (request) => {
    if (!isFirst) return undefined;
    isFirst = false;
    news.hold();
    const name = nameOf(JSON.parse(request.body ?? '{}') as KubeObject);
    const spec = { containers: [{ name: 'c', image: 'x' }] };
    const stranger = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec };
    return at.client.create(pods, stranger, never).then(lostAnswer);
  };
  await at.patch({ spec: { replicas: 6 } });
  await at.settle(false);
  await turns(at);
  news.release();
  await at.until(isComplete, 10);
  expect(imagesOf(at)).toEqual(Array<string>(6).fill('app:1'));
});
