import { expect, test } from 'vitest';
import { openObjectsWorld } from '../support/machine-objects-world.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { readProjectFile } from '../support/project-files.ts';

const blocks = fencedBlocks(readProjectFile('docs/guide/machines.md'))
  .filter(({ language }) => language === 'bash')
  .map(({ text }) => text);

/** What the page prints, as far as it is the same every time. */
const printed: readonly RegExp[] = [
  /^Cluster cls-[0-9a-f]{8} is created$/m,
  /^Cluster cls-[0-9a-f]{8} EnsurePreInstallHook: True$/m,
  /^NAME +TYPE +VERSION +STATUS +REASON +AGE\ncls-[0-9a-f]{8} +Baremetal +1\.14\.10 +Running /m,
  /condition met$/m,
  /^cls-[0-9a-f]{8}: Running$/m,
  /^pre node install$/m,
  /^\{"type":"output","operation":"[^"]+-cluster-create-[^"]+","node":"192\.0\.2\.21",.*"line":"pre node install"\}$/m,
  /^192\.0\.2\.21: PreUpgrade ended with exit code 7\nno disk left$/m,
  /is retried now$/m,
  /^cluster\.platform\.tkestack\.io "cls-[0-9a-f]{8}" deleted$/m,
];

test('the part of the guide about objects runs as it stands', async () => {
  await using world = await openObjectsWorld([{ address: '192.0.2.21', password: '123456' }], {
    example: 'single-files',
    isDown: true,
  });
  const port = 'boathook up --port 0 --nodes 0';
  const script = [`set -e`, ...blocks, 'kill %1', 'wait'].join('\n').replace('boathook up', port);
  const { code, out, error } = await world.shell(script);
  for (const pattern of printed) expect(out, error).toMatch(pattern);
  expect({ code, error: error.replaceAll(/^(?:npm warn|\S+ INFO) .*\n/gm, '') }).toEqual({
    code: 0,
    error: '',
  });
});
