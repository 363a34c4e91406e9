import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { runLabels } from '#releases/model/run-labels.ts';
import { StepJudge } from '../sim/judges/step-judge.ts';
import { never } from '../support/world.ts';

const now = instant(1000);

const workloadAt = (step: number): KubeObject => ({
  kind: 'GameDeployment',
  metadata: { namespace: 'n', name: 'g', uid: 'w', generation: 1 },
  spec: { updateStrategy: { canary: { steps: [{ hook: { templateName: 'age' } }, { pause: {} }] } } },
  status: {
    currentStepIndex: step,
    updateRevision: 'new',
    observedGeneration: 1,
    canary: { releaseID: 'first' },
  },
});

const runOf = (uid: string, phase: string, terminate = false): KubeObject => ({
  kind: 'HookRun',
  metadata: {
    namespace: 'n',
    name: uid,
    uid,
    labels: runLabels({
      kind: 'GameDeployment',
      workload: 'g',
      revision: 'new',
      point: 'canary-step',
      step: 0,
      release: 'first',
    }),
    ownerReferences: [
      {
        apiVersion: 'tkex.tencent.com/v1alpha1',
        kind: 'GameDeployment',
        name: 'g',
        uid: 'w',
        controller: true,
      },
    ],
  },
  spec: terminate ? { terminate } : {},
  status: { phase },
});

type Change = {
  readonly before: KubeObject;
  readonly after: KubeObject;
  readonly by: 'a user' | 'a controller';
};

/** What the judge says of a release that goes on after these changes of runs. */
async function complaints(changes: readonly Change[]): Promise<readonly string[]> {
  const judge = new StepJudge();
  const see = (storage: string, object: KubeObject, before?: KubeObject): void =>
    judge.see({ type: before === undefined ? 'ADDED' : 'MODIFIED', storage, object, before }, now);
  see('tkex.tencent.com/gamedeployments', workloadAt(0));
  for (const { before, after, by } of changes) {
    const change = async (): Promise<void> => see('tkex.tencent.com/hookruns', after, before);
    const call = {
      verb: 'patch',
      resource: hookRuns,
      namespace: 'n',
      name: nameOf(after),
      signal: never,
    } as const;
    await (by === 'a controller' ? judge.patching(call, change) : change());
  }
  see('tkex.tencent.com/gamedeployments', workloadAt(1), workloadAt(0));
  expect(judge.judged.hookSteps).toBe(1);
  return judge.complaints;
}

const stop = (by: Change['by']): Change => ({
  before: runOf('x', 'Running'),
  after: runOf('x', 'Running', true),
  by,
});
const end = (uid: string, phase: string, terminate = false): Change => ({
  before: runOf(uid, 'Running', terminate),
  after: runOf(uid, phase, terminate),
  by: 'a user',
});

test.for([
  { what: 'passed', changes: [end('x', 'Successful')], isWrong: false },
  { what: 'failed', changes: [end('x', 'Failed')], isWrong: true },
  { what: 'was stopped by a user', changes: [stop('a user'), end('x', 'Successful', true)], isWrong: false },
  {
    what: 'a controller stopped',
    changes: [stop('a controller'), end('x', 'Successful', true)],
    isWrong: true,
  },
  {
    what: 'passed after a controller stopped the one before',
    changes: [stop('a controller'), end('x', 'Successful', true), end('y', 'Successful')],
    isWrong: false,
  },
  {
    what: 'passed before a controller stopped it',
    changes: [
      { before: runOf('x', 'Successful'), after: runOf('x', 'Successful', true), by: 'a controller' },
    ],
    isWrong: false,
  },
] as const)(
  'a step is left after a run that $what: the judge complains: $isWrong',
  async ({ changes, isWrong }) => {
    expect(await complaints(changes)).toHaveLength(isWrong ? 1 : 0);
  },
);
