import { expect } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { gameWorkload, hookTemplate } from './canary-terminal.ts';

/** The canary of the guide with short times: one pod, a user, two pods, a second, a hook that fails. */
export const shortCanary = (name: string, hookUrl: string): readonly JsonObject[] => [
  hookTemplate(`${name}-age`, {
    count: 2,
    interval: '1s',
    failureLimit: 0,
    successCondition: 'asInt(result) < 30',
    provider: { web: { url: hookUrl, jsonPath: '{$.age}' } },
  }),
  {
    ...gameWorkload('GameDeployment', name, specOf(name)),
    metadata: { name, labels: { app: name } },
  },
];

const specOf = (name: string): JsonObject => ({
  replicas: 4,
  updateStrategy: {
    type: 'InplaceUpdate',
    maxUnavailable: 2,
    inPlaceUpdateStrategy: { gracePeriodSeconds: 1 },
    canary: {
      steps: [
        { partition: 3 },
        { pause: {} },
        { partition: 2 },
        { pause: { duration: 1 } },
        { hook: { templateName: `${name}-age` } },
      ],
    },
  },
});

/** Nothing that should not have happened has happened in a tab. */
export const expectNoFaults = (faults: readonly string[]): void => expect(faults).toEqual([]);
