import { expect, test } from 'vitest';
import { numberAt, textAt, type JsonObject } from '#base/json.ts';
import type { Transport, TransportRequest, TransportResponse } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { nameOf, objectKeyOf, type KubeObject } from '#kube/object.ts';
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

const steps: readonly JsonObject[] = [{ partition: 2 }, { hook: { templateName: 'age' } }, { pause: {} }];
const stepsOf = (some: readonly JsonObject[]): JsonObject => ({
  spec: { updateStrategy: { canary: { steps: some } } },
});

/** What becomes of a request; undefined: what always does. */
type Meet = (request: TransportRequest, direct: Transport) => Promise<TransportResponse> | undefined;
type AtHook = { readonly at: GameWorld; readonly meet: (next: Meet) => void };

/** A release at a step whose hook does not answer. */
async function atHook(more: JsonObject = {}): Promise<AtHook> {
  let meet: Meet = () => undefined;
  const around =
    (direct: Transport): Transport =>
    (request) =>
      meet(request, direct) ?? direct(request);
  const at = await closedAfterTest(openGameWorld());
  at.answer(() => 'hang');
  await at.control({ around });
  await make(at, templates, hookTemplate());
  const updateStrategy = { type: 'InplaceUpdate', maxUnavailable: 4, canary: { steps } };
  await make(at, gameDeployments, gameDeployment({ replicas: 4, updateStrategy, ...more }));
  await at.until(isComplete);
  await at.patch(image('2'));
  await at.until((workload) => numberAt(workload, 'status', 'currentStepIndex') === 1);
  await at.pass(3);
  expect(phases(at)).toEqual(['Running']);
  return { at, meet: (next) => (meet = next) };
}

const isStop = ({ method, path, body = '' }: TransportRequest): boolean =>
  method === 'PATCH' && path.includes('/hookruns/') && body.includes('"terminate":true');
const isStatus = ({ method, path }: TransportRequest): boolean =>
  method === 'PUT' && path.endsWith('/gamedeployments/g/status');

const phases = (at: GameWorld): readonly (string | undefined)[] =>
  at.runs().map((run) => textAt(run, 'status', 'phase'));
const stepOf = async (at: GameWorld): Promise<number | undefined> =>
  numberAt(await at.workload(), 'status', 'currentStepIndex');

const edits = [
  { what: 'the template', edit: image('3'), back: image('2') },
  { what: 'a walked step', edit: stepsOf([{ partition: 3 }, ...steps.slice(1)]), back: stepsOf(steps) },
];

test.for(edits)(
  'an edit of $what that is taken back before the status shows it passes no hook, and stops none',
  async ({ edit, back }) => {
    const { at, meet } = await atHook();
    let met = 0;
    meet((request, direct) => {
      if (!isStatus(request) || met > 0) return undefined;
      met += 1;
      return at.patch(back).then(() => direct(request));
    });
    await at.patch(edit);
    await at.pass(10);
    expect({ met, step: await stepOf(at) }).toEqual({ met: 1, step: 1 });
    expect(phases(at)).toEqual(['Running']);
    expect(at.asked).toHaveLength(1);
  },
);

test('an edit that is taken back while no controller runs passes no hook', async () => {
  const { at, meet } = await atHook();
  let isDead = false;
  // Killed at the first write of the release that begins, whichever it is.
  meet((request) => {
    isDead ||= isStop(request) || isStatus(request);
    return isDead && request.method !== 'GET' && !isStop(request)
      ? Promise.reject(new Unavailable('killed'))
      : undefined;
  });
  await at.patch(image('3'));
  await at.settle(false);
  await at.stop();
  expect(isDead).toBe(true);
  await at.patch(image('2'));
  await at.control();
  await at.pass(10);
  expect(await stepOf(at)).toBe(1);
});

test('the hook of a template that its user gave up is stopped, and asked again about the same template', async () => {
  const { at } = await atHook();
  await at.patch(image('3'));
  await at.pass(5);
  expect(phases(at)).toContain('Successful');
  await at.patch(image('2'));
  await at.until((workload) => numberAt(workload, 'status', 'currentStepIndex') === 1);
  await at.pass(5);
  expect(await stepOf(at)).toBe(1);
  const count = (phase: string): number => phases(at).filter((each) => each === phase).length;
  expect([count('Running'), count('Successful')]).toEqual([1, 2]);
});

test('a stop that arrives late does not stop the next run of the same name', async () => {
  const { at, meet } = await atHook({ successfulHookRunHistoryLimit: 0 });
  const name = nameOf(at.runs()[0] ?? {});
  let late: (() => Promise<TransportResponse>) | undefined;
  meet((request, direct) => {
    if (late !== undefined || !isStop(request)) return undefined;
    late = () => direct({ ...request, signal: never });
    return Promise.reject(new Unavailable('the request timed out'));
  });
  await at.patch(image('3'));
  await at.pass(5);
  await at.patch(image('2'));
  await at.pass(15);
  const named = (run: KubeObject): boolean => nameOf(run) === name;
  expect(at.runs().filter(named).map(stopOf)).toEqual([undefined]);
  const arrived = await late?.();
  expect(arrived?.status).toBe(409);
  await at.pass(5);
  expect(await stepOf(at)).toBe(1);
  expect(at.runs().filter(named).map(stopOf)).toEqual([undefined]);
});

test('a run that its user stops passes the hook', async () => {
  const { at } = await atHook();
  const key = objectKeyOf(at.runs()[0] ?? {});
  await at.client.patch(hookRuns, key, { type: 'merge', body: { spec: { terminate: true } } }, never);
  await at.pass(5);
  expect(await stepOf(at)).toBe(2);
});

function stopOf(run: KubeObject): boolean | undefined {
  return (run['spec'] as { readonly terminate?: boolean }).terminate;
}
