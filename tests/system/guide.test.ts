import { expect, test } from 'vitest';
import { tuningReference } from '#embedded/nodes/tuning/reference.ts';
import { findKubectls } from '../support/kubectl.ts';
import { blockScript, expectPrinted, openGuidePlace, startGuideServer } from '../support/guide-shell.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { runProgram } from '../support/program.ts';
import { readProjectFile } from '../support/project-files.ts';

const page = readProjectFile('docs/guide/embedded.md');
const [start = '', ...steps] = fencedBlocks(page)
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [/^node-1 +Ready .*\nnode-2 +Ready .*\nnode-3 +Ready /m, /^namespace\/harbour created$/m],
  [/^Server Version: .*v1\.\d+\.\d+\+boathook\.\d/m, /^deployments +deploy +apps\/v1 +true +Deployment$/m],
  [/^configmap\/tide created$/m, /^NAME +DATA +AGE\n(.+\n)*tide +1 /m, /^data:\n {2}level: low$/m],
  [/^configmap\/tide labeled$/m, /^configmap\/tide patched$/m, /^high$/m],
  [
    /^customresourcedefinition\.apiextensions\.k8s\.io\/lanterns\.harbour\.example\.com created$/m,
    /^customresourcedefinition\.apiextensions\.k8s\.io\/lanterns\.harbour\.example\.com condition met$/m,
    /^lantern\.harbour\.example\.com\/pier created$/m,
    /^NAME +COLOUR\npier +green$/m,
  ],
  [
    /^deployment "web" successfully rolled out$/m,
    /^web-\S+ +1\/1 +Running +0 .* node-[123] /m,
    ...['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started'].map(
      (reason) => new RegExp(`Normal +${reason} `),
    ),
  ],
  [
    /^endpoints\/web +\d+(\.\d+){3}:8080,/m,
    /^endpointslice\.discovery\.k8s\.io\/web-\S+ +IPv4 +8080 /m,
    /^(web-\S+ ?){3}$/m,
  ],
  [
    /^REVISION .*\n1 .*\n2 /m,
    /^deployment\.apps\/web rolled back$/m,
    /^web +3\/3 .* example\.com\/server:1 /m,
  ],
  [
    /^deployment\.apps\/web paused$/m,
    /^deployment\.apps\/web resumed$/m,
    /^deployment\.apps\/web restarted$/m,
    /^deployment\.apps\/web scaled$/m,
  ],
  [
    /^data-store-0 +Bound .*\ndata-store-1 +Bound /m,
    /^store-0 +1\/1 +Running .*\nstore-1 +1\/1 +Running /m,
    /(^agent-\S+ +1\/1 +Running .*\n){3}/m,
  ],
  [/^job\.batch\/sweep-now condition met$/m, /^job\.batch\/sweep-now +Complete +1\/1 /m],
  [/^the budget said no$/m, /^node\/node-[123] drained$/m, /^node\/node-[123] uncordoned$/m],
  [
    // By now it may be in its next run.
    /^pod\/weak condition met\nNAME .*\nweak +[01]\/1 +(CrashLoopBackOff|Running|OOMKilled) +[1-9]/m,
    /^loading the whole harbour into memory$/m,
    /Reason: +OOMKilled\n +Exit Code: +137\n/,
  ],
  [
    /^the rollout is stuck$/m,
    /^web-\S+ +0\/1 +(ImagePullBackOff|ErrImagePull) +0 /m,
    /(^web-\S+ +1\/1 +Running (.*\n)+?){3}/m,
    /^deployment "web" successfully rolled out$/m,
  ],
  [/^gated +2\/2 +Running .* 0\/1$/m, /^pod\/gated patched\npod\/gated condition met$/m],
  [/^app 0 example\.com\/app:1\nproxy 1 example\.com\/proxy:2$/m],
  [
    /^pod harbour\/gated: its readiness probe fails/m,
    /^pod harbour\/gated: its readiness probe succeeds/m,
    /^pod harbour\/gated, container app: crashes now$/m,
    /ended with code 1/,
  ],
  [/^node-3 +NotReady /m, /^node\/node-3 condition met\n$/m],
  [/^simulationprofile\.boathook\.dev\/squall created$/m, /^deployment "web" successfully rolled out$/m],
  [/^\S+harbour-backup holds \d+ objects at revision \d+\./m, /^Every record is as it was written\.$/m],
  [
    /^customresourcedefinition\.apiextensions\.k8s\.io "lanterns\.harbour\.example\.com" deleted/m,
    /^deployment\.apps "web" deleted/m,
    /^namespace "harbour" deleted/m,
  ],
];

test('the first block starts the server', () => {
  expect(start).toMatch(/^\.\/boathook up( --\S+ \S+)*\n$/);
});

test('the table of annotations is that of the nodes', () => {
  const marked = /^<!-- tuning annotations: begin -->\n\n([\s\S]*)\n\n<!-- tuning annotations: end -->$/m;
  expect(marked.exec(page)?.[1]).toBe(tuningReference());
});

const newest = (await findKubectls()).at(-1);

test.skipIf((newest?.minor ?? 0) < 29)(
  'the guide can be followed with the kubectl that it asks for',
  async () => {
    using place = openGuidePlace(newest?.file ?? '', ['boathook']);
    await using server = startGuideServer(start, place);
    await server.lineLike(/^ready in/);
    expectPrinted(await runProgram('sh', ['-e', '-c', blockScript(steps)], place), printed);
  },
);
