import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openClusterWorld } from '../support/cluster-world.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const blocks = fencedBlocks(readProjectFile('docs/guide/machines.md'))
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

const pairs = 'node\\.alpha\\.kubernetes\\.io/test=hello location=xa';

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [
    /^STEP +WHAT +NODE +DIGEST /m,
    /^node-pre\/PreInstall +\/tmp\/hooks\/pre-install +192\.0\.2\.21 +[0-9a-f]{12} /m,
  ],
  [
    /PreInstall: Succeeded[\s\S]*PostInstall: Succeeded[\s\S]*Succeeded \(3 of 3 tasks\)/,
    /^EnsurePreInstallHook: True$/m,
    /^pre node install\n==> [\s\S]*^post node install$/m,
  ],
  [
    /Succeeded \(5 of 5 tasks\)/,
    new RegExp(`^the cluster labels and annotations key=value pair:${pairs}\\npre cluster install$`, 'm'),
    /mc-10 PostInstall: Succeeded/,
    /mc-11 PostInstall: Succeeded/,
  ],
  [
    /^EGGO_CLUSTER_API_ENDPOINT=192\.0\.2\.6:8443\n(EGGO_.*\n){7}EGGO_OPERATOR=deploy$/m,
    /^second script, after the first$/m,
    /etcd-0 posthook\/node\.sh: Succeeded/,
  ],
  [
    /worker-2 posthook\/node\.sh: Succeeded/,
    /worker-2 prehook\/node\.sh: Succeeded/,
    /master-0 cluster-posthook\/node\.sh: Succeeded/,
  ],
  [
    /^pre-install, in bootstrap\n[\s\S]*^post-cluster-ready, in bootstrap\n[\s\S]*^post-install, in bootstrap$/m,
  ],
];

test('the commands of the guide work', async () => {
  const plain = [2, 3, 4, 5, 6, 7].map((last) => ({ address: `192.0.2.${last}`, password: '123456' }));
  const other = [9, 10, 11].map((last) => ({ address: `192.0.2.${last}`, password: 'Letmein123,.1' }));
  await using world = await openClusterWorld(
    [{ address: '192.0.2.21', password: '123456' }, ...plain, ...other],
    '.',
  );
  expect(blocks).toHaveLength(printed.length);
  symlinkSync(join(root, 'boathook'), join(world.folder, 'boathook'));
  for (const [at, block] of blocks.entries()) {
    const { code, out, error } = await world.shell(`set -e\nPATH=.:$PATH\n${block}`);
    expect({ code, error }, `${block}\n${out}${error}`).toEqual({ code: 0, error: '' });
    for (const pattern of printed[at] ?? []) expect(out).toMatch(pattern);
  }
});
