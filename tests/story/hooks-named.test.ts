import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import {
  conditionsOf,
  gameDeployment,
  hookTemplate,
  image,
  isComplete,
  make,
  never,
  openGameWorld,
  templates,
} from '../support/game-world.ts';
import { gameDeployments } from '#releases/controller/resources.ts';

const messageOf = (workload: KubeObject): string | undefined =>
  textAt(
    listAt(workload, 'status', 'conditions').find((each) => textAt(each, 'type') === 'HooksValid'),
    'message',
  );

const withArgs = (args: JsonObject[], metric: JsonObject = {}): JsonObject => {
  const template = hookTemplate('age', metric);
  return { ...template, spec: { ...(template['spec'] as JsonObject), args } };
};

const stepped = (hook: JsonObject): JsonObject => ({
  updateStrategy: { canary: { steps: [{ partition: 2 }, { hook }] } },
});

test('a workload that names a template that is not there has a condition at once, until it is made', async () => {
  await using world = await openGameWorld();
  await world.control();
  await make(world, gameDeployments, gameDeployment(stepped({ templateName: 'age' })));
  const before = await world.until(isComplete);
  expect(conditionsOf(before)).toMatchObject({ HooksValid: 'False HookTemplateMissing' });
  expect(messageOf(before)).toBe(
    'spec.updateStrategy.canary.steps[1].hook: HookTemplate age does not exist in namespace default: create it, or correct templateName',
  );
  await make(world, templates, hookTemplate());
  const after = await world.until((each) => conditionsOf(each)['HooksValid'] === 'True Checked');
  expect(isComplete(after)).toBe(true);
  await world.client.remove(templates, { namespace: 'default', name: 'age' }, never);
  await world.until((each) => conditionsOf(each)['HooksValid'] === 'False HookTemplateMissing');
  await world.patch({ spec: { updateStrategy: { canary: null } } });
  await world.until((each) => conditionsOf(each)['HooksValid'] === undefined);
});

test.for<[name: string, template: JsonObject, spec: JsonObject, reason: string, message: string]>([
  [
    'an invalid template of a step',
    hookTemplate('age', { successCondition: 'result +' }),
    stepped({ templateName: 'age' }),
    'HookTemplateInvalid',
    'spec.updateStrategy.canary.steps[1].hook: HookTemplate age: spec.metrics[0].successCondition: ',
  ],
  [
    'an arg of a step without a value',
    withArgs([{ name: 'service-name' }, { name: 'WorkloadName' }]),
    stepped({ templateName: 'age' }),
    'HookArgMissing',
    'spec.updateStrategy.canary.steps[1].hook: the arg service-name of HookTemplate age has no value',
  ],
  [
    'an arg of a pod in a step, where there is no pod',
    withArgs([{ name: 'PodName' }]),
    stepped({ templateName: 'age' }),
    'HookArgMissing',
    'the arg PodName of HookTemplate age has no value',
  ],
  [
    'an arg that the template does not declare',
    withArgs([{ name: 'service-name', value: 'lobby' }]),
    { preDeleteUpdateStrategy: { hook: { templateName: 'age', args: [{ name: 'service', value: 'x' }] } } },
    'HookArgUndeclared',
    'spec.preDeleteUpdateStrategy.hook: HookTemplate age does not declare the arg service, so its value is not used: it declares service-name',
  ],
  [
    'a container that the pods do not have',
    withArgs([{ name: 'PodContainer[1]' }]),
    { preInplaceUpdateStrategy: { hook: { templateName: 'age' } } },
    'HookArgMissing',
    'spec.preInplaceUpdateStrategy.hook: the arg PodContainer[1] of HookTemplate age has no value',
  ],
])('%s is named although nothing is released', async ([, template, spec, reason, message]) => {
  await using world = await openGameWorld();
  await world.control();
  await make(world, templates, template);
  await make(world, gameDeployments, gameDeployment(spec));
  const workload = await world.until(isComplete);
  expect(conditionsOf(workload)).toMatchObject({ HooksValid: `False ${reason}` });
  expect(messageOf(workload)).toContain(message);
});

test('what the controller injects counts as given', async () => {
  await using world = await openGameWorld();
  await world.control();
  const ofPod = ['PodName', 'PodNamespace', 'PodIP', 'HostIP', 'PodContainer[0]', 'ModifiedContainer[0]'];
  const ofStep = ['WorkloadName', 'WorkloadKind', 'StableRevision', 'UpdateRevision', 'StepIndex', 'HostIP'];
  await make(world, templates, withArgs(ofPod.map((name) => ({ name }))));
  const step = withArgs(ofStep.map((name) => ({ name })));
  await make(world, templates, { ...step, metadata: { name: 'step', namespace: 'default' } });
  const spec = {
    ...stepped({ templateName: 'step' }),
    postInplaceUpdateStrategy: { hook: { templateName: 'age' } },
  };
  await make(world, gameDeployments, gameDeployment(spec));
  const workload = await world.until(isComplete);
  expect(conditionsOf(workload)).toMatchObject({ HooksValid: 'True Checked' });
});

test('a release waits at a step whose template is invalid, and continues when it is corrected', async () => {
  await using world = await openGameWorld();
  await world.control();
  await make(world, templates, hookTemplate('age', { successCondition: 'result +' }));
  await make(world, gameDeployments, gameDeployment(stepped({ templateName: 'age' })));
  await world.until(isComplete);
  await world.patch(image('2'));
  const blocked = await world.until((each) => textAt(each, 'status', 'phase') === 'Blocked');
  expect(conditionsOf(blocked)).toMatchObject({ Progressing: 'False HookTemplateInvalid' });
  expect(textAt(blocked, 'status', 'message')).toContain(
    'Step 2/2 cannot run HookTemplate age: spec.metrics[0].successCondition: ',
  );
  expect(world.runs()).toEqual([]);
  const body = { spec: hookTemplate()['spec'] } as JsonObject;
  const key = { namespace: 'default', name: 'age' };
  await world.client.patch(templates, key, { type: 'merge', body }, never);
  await world.until(isComplete);
});
