import { expect, test } from 'vitest';
import { listAt, textAt } from '#base/json.ts';
import type { Transport, TransportRequest, TransportResponse } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { pods } from '#loop/owned/resources.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';
import {
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  templates,
  type GameWorld,
} from '../support/game-world.ts';

type IsMeant = (request: TransportRequest) => boolean;

type LateWrite = {
  readonly at: GameWorld;
  /** From now on the first such request is given up, and something happens meanwhile. */
  readonly giveUp: (isMeant: IsMeant, meanwhile?: () => Promise<unknown>) => void;
  /** The request that was given up arrives. Its status; undefined: there was none. */
  readonly arrives: () => Promise<number | undefined>;
};

async function openLate(): Promise<LateWrite> {
  let given: { readonly isMeant: IsMeant; readonly meanwhile: () => Promise<unknown> } | undefined;
  let late: (() => Promise<TransportResponse>) | undefined;
  const around =
    (direct: Transport): Transport =>
    async (request) => {
      if (given?.isMeant(request) !== true) return direct(request);
      const { meanwhile } = given;
      given = undefined;
      late = () => direct({ ...request, signal: never });
      await meanwhile();
      throw new Unavailable('the request timed out');
    };
  const at = await closedAfterTest(openGameWorld());
  await at.control({ around });
  return {
    at,
    giveUp: (isMeant, meanwhile = () => Promise.resolve()) => (given = { isMeant, meanwhile }),
    arrives: async () => (await late?.())?.status,
  };
}

const isPatchOfPod = ({ method, path }: TransportRequest): boolean =>
  method === 'PATCH' && /\/pods\/[^/]+$/.test(path);
const isAdoption = (request: TransportRequest): boolean =>
  isPatchOfPod(request) && (request.body ?? '').includes('"kind":"GameDeployment"');
const isRelease = (request: TransportRequest): boolean =>
  isPatchOfPod(request) && (request.body ?? '').includes('"$patch":"delete"');
const isRemovalOfRevision = ({ method, path }: TransportRequest): boolean =>
  method === 'DELETE' && path.includes('/controllerrevisions/');

const label = (at: GameWorld, name: string, app: string): Promise<unknown> =>
  at.client.patch(
    pods,
    { namespace: 'default', name },
    { type: 'merge', body: { metadata: { labels: { app } } } },
    never,
  );
const orphan = (at: GameWorld): Promise<unknown> =>
  at.client.remove(gameDeployments, { namespace: 'default', name: 'g' }, never, {
    propagationPolicy: 'Orphan',
  });

const owners = (at: GameWorld): readonly (string | undefined)[] =>
  at.pods().map((pod) => controllerOf(pod)?.kind);
const imageOf = (pod: KubeObject): string => textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';
const images = (at: GameWorld): readonly string[] => at.pods().map(imageOf).toSorted();

test('a late release of a pod does not let it go without its hook', async () => {
  const { at, giveUp, arrives } = await openLate();
  at.answer(() => 'hang');
  await make(at, templates, hookTemplate());
  const preDeleteUpdateStrategy = { hook: { templateName: 'age' }, enforce: 'Always' };
  await make(at, gameDeployments, gameDeployment({ replicas: 3, preDeleteUpdateStrategy }));
  await at.until(isComplete);
  const chosen = nameOf(at.pods()[0] ?? {});
  const isThere = (): boolean => at.allPods().some((pod) => nameOf(pod) === chosen);
  giveUp(isRelease, () => label(at, chosen, 'g'));
  await label(at, chosen, 'debug');
  await at.pass(5);
  await at.deletePod(chosen);
  await at.pass(10);
  expect(isThere()).toBe(true);
  expect(await arrives()).toBe(409);
  await at.pass(5);
  expect(isThere()).toBe(true);
});

test('a late adoption does not take a pod that its user has made an orphan again', async () => {
  const { at, giveUp, arrives } = await openLate();
  await make(at, gameDeployments, gameDeployment({ replicas: 3 }));
  await at.until(isComplete);
  await orphan(at);
  await at.pass(5);
  giveUp(isAdoption);
  await make(at, gameDeployments, gameDeployment({ replicas: 3 }));
  await at.until(isComplete);
  await orphan(at);
  await at.pass(5);
  expect(owners(at)).toEqual([undefined, undefined, undefined]);
  expect(await arrives()).toBe(409);
  await at.pass(20);
  expect(owners(at)).toEqual([undefined, undefined, undefined]);
});

test('a pod that changes while it is adopted is adopted all the same, and none is made in its place', async () => {
  const { at } = await openLate();
  await make(at, gameDeployments, gameDeployment({ replicas: 3 }));
  await at.until(isComplete);
  await orphan(at);
  await at.pass(5);
  let met = 0;
  let made = 0;
  await at.control({
    around: (direct) => async (request) => {
      if (request.method === 'POST' && request.path.endsWith('/pods')) made += 1;
      if (isAdoption(request) && met === 0) {
        met += 1;
        const name = request.path.slice(request.path.lastIndexOf('/') + 1);
        const body = { metadata: { annotations: { seen: 'by somebody' } } };
        await at.client.patch(pods, { namespace: 'default', name }, { type: 'merge', body }, never);
      }
      return direct(request);
    },
  });
  await make(at, gameDeployments, gameDeployment({ replicas: 3 }));
  await at.pass(10);
  expect({ met, made }).toEqual({ met: 1, made: 0 });
  expect(owners(at)).toEqual(['GameDeployment', 'GameDeployment', 'GameDeployment']);
});

test('a late deletion of a revision leaves one whose template is in use again', async () => {
  const { at, giveUp, arrives } = await openLate();
  const updateStrategy = { type: 'RollingUpdate', maxUnavailable: 3, partition: 0 };
  const spec = { replicas: 3, revisionHistoryLimit: 0, updateStrategy };
  await make(at, gameDeployments, gameDeployment(spec));
  await at.until(isComplete);
  giveUp(isRemovalOfRevision, () => at.patch(image('1')));
  await at.patch(image('2'));
  await at.pass(8);
  await at.until(isComplete);
  await at.patch({ spec: { updateStrategy: { partition: 1 } } });
  await at.patch(image('3'));
  await at.pass(8);
  expect(images(at)).toEqual(['app:1', 'app:3', 'app:3']);
  expect(await arrives()).toBe(409);
  await at.pass(1);
  await at.deletePod(nameOf(at.pods().find((pod) => imageOf(pod) === 'app:1') ?? {}));
  await at.pass(8);
  expect(images(at)).toEqual(['app:1', 'app:3', 'app:3']);
});
