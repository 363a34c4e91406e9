import { defineReconcileHook, HookError } from 'boathook/sdk';

/** Instances that must not go yet, by namespace/name. Change it by POST /keep and /release in a real service. */
const kept = new Set((process.env['KEEP'] ?? '').split(',').filter((name) => name !== ''));

export const hook = defineReconcileHook({
  ...(process.env['HOOK_SECRET'] === undefined ? {} : { secret: process.env['HOOK_SECRET'] }),

  preReconcile: () => ({
    envVars: [{ name: 'FROM_HOOK_VAR', value: 'this value is set from the hook' }],
    status: {
      conditions: [{ type: 'KuardReady', status: 'True', reason: 'HOOKREPORTSOK' }],
      annotations: { greetings: 'from hook' },
    },
  }),

  // Both form factors have a pod template, and `main` is whichever of them there is.
  postReconcile: () => ({
    patches: [
      {
        main: {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: 'adapter',
                    resources: { requests: { cpu: '100m', memory: '100Mi' }, limits: { cpu: '250m' } },
                  },
                ],
              },
            },
          },
        },
      },
    ],
  }),

  finalize: ({ object }) => {
    if (kept.has(`${object.namespace}/${object.name}`)) throw new HookError('still in use', { halt: true });
    return undefined;
  },
});

if (import.meta.main) {
  const { HOST: host = '127.0.0.1', PORT: wanted = '8080' } = process.env;
  const { port } = await hook.listen({ host, port: Number(wanted) });
  process.stdout.write(`hook listens on port ${port}\n`);
}
