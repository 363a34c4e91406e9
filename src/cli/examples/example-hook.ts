import { textAt } from '#base/json.ts';
import type { HookServer } from '#sdk/start-hook.ts';

/** The hook service of the registration: on a free port of loopback, started with the example. */
export class ExampleHook {
  #server: Promise<HookServer> | undefined;

  /** The URL of the service. */
  async start(): Promise<string> {
    this.#server ??= serve();
    const { port } = await this.#server;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    await (await this.#server)?.close();
  }
}

const replicas: Readonly<Record<string, number>> = { small: 1, large: 3 };

async function serve(): Promise<HookServer> {
  const { defineReconcileHook } = await import('#sdk/reconcile-hook.ts');
  const { HookError } = await import('#sdk/hook-error.ts');
  const hook = defineReconcileHook({
    payload: 'full',
    preReconcile({ object }) {
      const size = textAt(object.spec, 'size') ?? 'small';
      if (replicas[size] === undefined)
        throw new HookError(`size ${size} is not offered: set spec.size to small or large`);
      return { envVars: [{ name: 'GREETING', value: textAt(object.spec, 'greeting') ?? 'hello' }] };
    },
    postReconcile: ({ object }) => ({
      patches: [{ main: { spec: { replicas: replicas[textAt(object.spec, 'size') ?? 'small'] ?? 1 } } }],
    }),
  });
  return hook.listen({ port: 0 });
}
