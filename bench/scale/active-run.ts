import type { Ask } from '../apiserver/connection.ts';
import { runsPath } from '../hooks/hook-runs.ts';

/** A HookRun that calls a web server every five minutes and does not end. */
export const activeRun = (number: number, url: string): Ask => ({
  method: 'POST',
  path: runsPath,
  body: JSON.stringify({
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookRun',
    metadata: { name: `active-${number}`, namespace: 'bench' },
    spec: {
      metrics: [
        {
          name: 'age',
          interval: '300s',
          successCondition: 'asInt(result) < 30',
          provider: { web: { url: `${url}/0/active-${number}`, jsonPath: '{$.age}' } },
        },
      ],
    },
  }),
});
