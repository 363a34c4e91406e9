import { startServiceProcess, type ServiceProcess } from '../suite/service-process.ts';

export type HookService = ServiceProcess & {
  /** How often it was called so far. */
  calls(): Promise<number>;
};

/** Starts the hook service in a process of its own. */
export async function startHookService(): Promise<HookService> {
  const service = await startServiceProcess(new URL('hook-server.ts', import.meta.url));
  return { ...service, calls: async () => Number(await (await fetch(`${service.url}/calls`)).text()) };
}
