import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startChild } from '../apiserver/child-process.ts';

export type ServiceProcess = { readonly url: string; stop(): Promise<void> };

/** Starts a server in a process of its own; the first thing it prints is its port. */
export async function startServiceProcess(script: URL): Promise<ServiceProcess> {
  const child = await startChild(process.execPath, [fileURLToPath(script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.process.stdout === null) throw new Error('the output of the service is not read');
  const [line] = (await once(child.process.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${line.toString().trim()}`, stop: () => child.stop() };
}
