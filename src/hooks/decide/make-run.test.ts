import { expect, test } from 'vitest';
import { runFromTemplate, type RunOrder } from './make-run.ts';

const template: RunOrder['template'] = {
  spec: {
    args: [{ name: 'service-name', value: 'svc' }, { name: 'PodName' }],
    metrics: [
      {
        name: 'webtest',
        count: 2,
        interval: '60s',
        failureLimit: 0,
        inconclusiveLimit: 0,
        consecutiveErrorLimit: 0,
        successCondition: 'asInt(result) < 30',
        provider: { web: { url: 'http://1.1.1.1:9091', jsonPath: '{$.age}' } },
      },
    ],
    policy: 'Ordered',
    ttlAfterFinished: '1h',
  },
};
const order: RunOrder = {
  template,
  name: 'test-gamedeployment-67864c6f65-4-test',
  namespace: 'default',
  labels: { 'step-index': '4' },
  owner: {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'GameDeployment',
    name: 'test-gamedeployment',
    uid: 'u',
    controller: true,
  },
  given: [{ name: 'PodName', value: 'x-0' }],
  injected: [],
};

test('a run is a copy of its template with all arguments, and without limits of zero', () => {
  expect(runFromTemplate(order)).toEqual({
    type: 'run',
    object: {
      apiVersion: 'tkex.tencent.com/v1alpha1',
      kind: 'HookRun',
      metadata: {
        name: order.name,
        namespace: 'default',
        labels: { 'step-index': '4' },
        ownerReferences: [order.owner],
      },
      spec: {
        args: [
          { name: 'service-name', value: 'svc' },
          { name: 'PodName', value: 'x-0' },
        ],
        metrics: [
          {
            name: 'webtest',
            count: 2,
            interval: '60s',
            // No error at all is tolerated: this zero means something.
            consecutiveErrorLimit: 0,
            successCondition: 'asInt(result) < 30',
            provider: { web: { url: 'http://1.1.1.1:9091', jsonPath: '{$.age}' } },
          },
        ],
        policy: 'Ordered',
        ttlAfterFinished: '1h',
      },
    },
  });
});

test('an argument without a value refuses the run', () => {
  expect(runFromTemplate({ ...order, given: [] })).toEqual({
    type: 'refused',
    message: expect.stringContaining('argument PodName has no value') as string,
  });
});
