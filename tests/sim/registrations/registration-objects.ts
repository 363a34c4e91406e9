import type { JsonObject } from '#base/json.ts';
import type { RegistrationShape } from './plan-registration-world.ts';
import { kuards, namespace } from './registration-server.ts';

export const instanceOf = (name: string, value: number): JsonObject => ({
  apiVersion: kuards.apiVersion,
  kind: kuards.kind,
  metadata: { name, namespace },
  spec: { value },
});

export const specOf = ({ image, replicas, hasService, hasHook }: RegistrationShape): JsonObject => ({
  crd: 'kuards.extensions.triggermesh.io',
  ...(hasHook && {
    hook: {
      version: 1,
      address: { uri: 'http://hook.example/v1' },
      timeout: 'PT5S',
      capabilities: ['pre-reconcile', 'finalize'],
    },
  }),
  workload: {
    formFactor: {
      deployment: { replicas, ...(hasService && { service: { port: 80, targetPort: 8080 } }) },
    },
    fromImage: { repo: image },
    ...(hasHook && { parameterConfiguration: { addEnvsFromHook: ['*'] } }),
  },
});
