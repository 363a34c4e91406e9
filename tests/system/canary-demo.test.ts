import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

test('the demo tells of a release that a hook stops, and ends by itself', async () => {
  const { code, out, error } = await runProgram('sh', [
    join(root, 'scripts/with-node.sh'),
    'scripts/demo.ts',
  ]);
  expect({ code, error, out }).toMatchObject({ code: 0, error: '' });
  const line = (updated: number, ready: number, step: string, message: string): RegExp =>
    new RegExp(`^ {2}${updated} +${ready} +${step} +${message}`, 'm');
  expect(out).toMatch(line(1, 4, '2/5', 'Step 2/5 pauses for manual approval'));
  expect(out).toMatch(line(2, 4, '4/5', 'Step 4/5 pauses until'));
  expect(out).toMatch(/The release has stopped\. Its message:\n {2}Step 5\/5: HookRun \S+-4-test is Failed/);
  expect(out).toContain('asInt(result) = 45');
  expect(out.trimEnd().split('\n').at(-3)).toMatch(line(4, 4, '5/5', 'Complete: 4 of 4 pods'));
});
