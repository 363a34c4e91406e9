import { expect, test } from 'vitest';
import { deploymentReleaseSpec, statefulReleaseSpec } from './release-spec.ts';

const template = { metadata: {}, spec: {} };
const amounts = { maxUnavailable: '25%', maxSurge: 1 } as const;

test.for([
  { type: 'RollingUpdate', maxUnavailable: 2, maxSurge: 1 },
  { type: 'OnDelete', maxUnavailable: 3, maxSurge: 0 },
] as const)('25 % of 10 pods of a GameDeployment, $type', ({ type, ...limits }) => {
  const spec = { replicas: 10, selector: {}, template, updateStrategy: { type, ...amounts } };
  expect(deploymentReleaseSpec(spec)).toMatchObject(limits);
});

test.for([
  { podManagementPolicy: 'Parallel', maxUnavailable: 2, maxSurge: 1 },
  { podManagementPolicy: 'OrderedReady', maxUnavailable: 3, maxSurge: 0 },
] as const)(
  '25 % of 10 pods of a GameStatefulSet, $podManagementPolicy',
  ({ podManagementPolicy, ...limits }) => {
    const updateStrategy = { rollingUpdate: amounts };
    const spec = {
      replicas: 10,
      selector: {},
      template,
      serviceName: 'x',
      podManagementPolicy,
      updateStrategy,
    };
    expect(statefulReleaseSpec(spec)).toMatchObject(limits);
  },
);
