import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startChild } from '../apiserver/child-process.ts';

/** When each run called, in milliseconds since 1970. */
export type Calls = ReadonlyMap<string, readonly number[]>;

export type HookService = {
  readonly url: string;
  calls(): Promise<Calls>;
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
    async calls() {
      const answer = await fetch(`${url}/calls`);
      return new Map(Object.entries((await answer.json()) as Record<string, number[]>));
    },
    stop: () => child.stop(),
  };
}
