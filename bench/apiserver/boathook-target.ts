import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './child-process.ts';
import { addressIn, portOpen } from './launched.ts';
import type { Target } from './target.ts';
import { untilReady } from './until-ready.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `./boathook up` as a user starts it, but for the port, the folder and the nodes: those have a benchmark of their own. */
export function boathookTarget(profile: string | undefined): Target {
  return {
    name: 'boathook',
    async start(folder) {
      const began = performance.now();
      const child = await startChild(
        join(root, 'boathook'),
        ['up', '--data-dir', folder, '--port', '0', '--nodes', '0'],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { ...process.env, ...profiling(profile) },
        },
      );
      await portOpen(child);
      const address = addressIn(join(folder, 'kubeconfig'));
      await untilReady(address, child);
      const startSeconds = (performance.now() - began) / 1000;
      return { address, pids: [child.pid], startSeconds, stop: () => child.stop() };
    },
  };
}

const profiling = (folder: string | undefined): NodeJS.ProcessEnv =>
  folder === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
