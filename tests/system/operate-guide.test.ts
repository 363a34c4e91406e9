import { expect, test } from 'vitest';
import { alerts } from '../../scripts/monitoring/alerts.ts';
import { findKubectls } from '../support/kubectl.ts';
import { blockScript, expectPrinted, openGuidePlace, startGuideServer } from '../support/guide-shell.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { ownPort } from '../support/own-port.ts';
import { runProgram } from '../support/program.ts';
import { readProjectFile } from '../support/project-files.ts';

const page = readProjectFile('docs/guide/operate.md');
const [start = '', ...steps] = fencedBlocks(page)
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [/^boathook_leader 1\nok/m, /^boathook-controller +blue +\d+s$/m],
  [
    /INFO {2}this process is the leader namespace=boathook-system name=boathook-controller term=0$/m,
    /^\{"time":"[^"]+","level":"info","message":"metrics at http:\/\/127\.0\.0\.1:\d+\/metrics"\}$/m,
    /^gamedeployment\.tkex\.tencent\.com\/shop created$/m,
    /INFO {2}a release ended kind=GameDeployment key=default\/shop .*outcome=Complete cause=AllPodsUpdated/,
  ],
  [
    /^boathook_releases\{kind="GameDeployment",phase="Complete"\} 1$/m,
    /^boathook_releases_ended_total\{kind="GameDeployment",outcome="Complete",cause="AllPodsUpdated"\} 1$/m,
    /^boathook_build_info\{version="\d+\.\d+\.\d+",node="24\./m,
    /^boathook_api_requests_total\{method="GET",code="200"\} [1-9]/m,
    /^boathook_leader 0$/m,
  ],
  [new RegExp(`SUCCESS: ${alerts().length} rules found`)],
  [/"message":"this process is the leader"/, /^green$/m],
  [/INFO {2}this process is the leader .* term=2$/m, /INFO {2}this process is the leader .* term=3$/m],
  [
    /^boathook-controller +4-shards +/m,
    /^boathook-controller-shard-3-of-4 +south +/m,
    /^ok +leader +Of 4 shards north holds 0, 1; south holds 2, 3\.$/m,
  ],
  [/^boathook_shards_held 4$/m],
];

test('the first block starts the server', () => {
  expect(start).toBe('./boathook up --controllers none\n');
});

const newest = (await findKubectls()).at(-1);

test.skipIf((newest?.minor ?? 0) < 29)('the guide can be followed', async () => {
  using place = openGuidePlace(newest?.file ?? '', ['boathook', 'scripts', 'node_modules', 'deploy']);
  await using server = startGuideServer(start, place);
  await server.lineLike(/^ready in/);
  // Nobody must be in the way, so the ports are any that are free; all else is as written.
  const ports = [await ownPort(), await ownPort()];
  const script = blockScript(steps).replaceAll('9464', String(ports[0])).replaceAll('9465', String(ports[1]));
  expectPrinted(await runProgram('timeout', ['500', 'sh', '-e', '-c', script], place), printed);
});
