import { startServiceProcess, type ServiceProcess } from '../suite/service-process.ts';

/** When each run called, in milliseconds since 1970. */
export type Calls = ReadonlyMap<string, readonly number[]>;

export type HookService = ServiceProcess & { calls(): Promise<Calls> };

/** Starts the hook service in a process of its own. */
export async function startHookService(): Promise<HookService> {
  const service = await startServiceProcess(new URL('hook-server.ts', import.meta.url));
  return {
    ...service,
    async calls() {
      const answer = await fetch(`${service.url}/calls`);
      return new Map(Object.entries((await answer.json()) as Record<string, number[]>));
    },
  };
}
