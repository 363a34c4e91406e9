import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startChild } from '../apiserver/child-process.ts';

export type HookService = {
  readonly url: string;
  /** How often it was called so far. */
  calls(): Promise<number>;
  stop(): Promise<void>;
};

/** Starts the hook service in a process of its own. */
export async function startHookService(): Promise<HookService> {
  const script = fileURLToPath(new URL('hook-server.ts', import.meta.url));
  const child = await startChild(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.process.stdout === null) throw new Error('the output of the hook service is not read');
  const [line] = (await once(child.process.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${line.toString().trim()}`;
  return {
    url,
    calls: async () => Number(await (await fetch(`${url}/calls`)).text()),
    stop: () => child.stop(),
  };
}
