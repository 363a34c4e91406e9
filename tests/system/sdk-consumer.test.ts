import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { followProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());
mkdirSync(join(folder.path, 'node_modules'));
// As `npm link` and `npm install <folder>` leave it.
symlinkSync(root, join(folder.path, 'node_modules/boathook'));
writeFileSync(join(folder.path, 'package.json'), '{"type":"module","name":"consumer"}');
writeFileSync(
  join(folder.path, 'hook.js'),
  `import { defineReconcileHook } from 'boathook/sdk';

const hook = defineReconcileHook({
  preReconcile: ({ object }) => ({ envVars: [{ name: 'WHO', value: object.name }] }),
  postReconcile: () => { throw new Error('a slip of mine'); },
});
const { port } = await hook.listen({ port: 0, host: '127.0.0.1' });
console.log('port', port);
`,
);

const question = (phase: string): string =>
  JSON.stringify({
    object: { apiVersion: 'v1', kind: 'Kuard', namespace: 'default', name: 'one' },
    phase,
    capabilities: [],
  });

test('another package imports boathook/sdk with plain Node, serves, and sees what goes wrong', async () => {
  await using running = followProgram(process.execPath, ['hook.js'], { cwd: folder.path });
  const [, port] = /port (\d+)/.exec(await running.line()) ?? [];
  const ask = async (phase: string): Promise<[number, string]> => {
    const response = await fetch(`http://127.0.0.1:${port}/v1`, { method: 'POST', body: question(phase) });
    return [response.status, await response.text()];
  };
  expect(await ask('pre-reconcile')).toEqual([200, '{"envVars":[{"name":"WHO","value":"one"}]}']);
  expect(await ask('post-reconcile')).toEqual([500, expect.not.stringContaining('slip')]);
  await running.errorLike(
    /the hook failed in post-reconcile instance=default\/one .*a slip of mine.*hook\.js:5/,
  );
  expect(await ask('finalize')).toEqual([204, '']);
});
