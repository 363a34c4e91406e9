import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textWidth } from '#base/text-width.ts';
import type { JsonObject } from '#base/json.ts';
import { printedLine, type StyledLine } from '#command/styled-line.ts';
import { historyRows } from '#releases/decide/view/history-row.ts';
import { releaseSummaryOf } from '#releases/decide/view/release-summary.ts';
import { releaseViewOf, type ViewSnapshot } from '#releases/decide/view/release-view.ts';
import {
  ago,
  pauseFrom,
  revisionOf,
  shopPod,
  shopRun,
  shopSnapshot,
  shopTime,
  shopWorkload,
  stableName,
  updateName,
} from '#releases/decide/view/testing/shop.ts';
import { linesOf as historyScreen } from './history-command.ts';
import { listLines } from './list-lines.ts';
import { frameLines, releaseLines } from './release-lines.ts';

const golden = (name: string): string =>
  join(import.meta.dirname, '../../../tests/golden/release', `${name}.txt`);

const hookMessage = `Step 5/5: HookRun ${updateName}-4-smoke-test is Failed (metric error-rate is Failed: the value was 0.31). Set spec.updateStrategy.paused to false to go on, or set the template back to return to the stable revision.`;

/** At the hook of the last step, which has failed. */
const failedHook = shopSnapshot({
  workload: shopWorkload({
    currentStepIndex: 4,
    phase: 'Paused',
    reason: 'PausedByStepBasedHook',
    message: hookMessage,
    updatedReplicas: 2,
    updatedReadyReplicas: 2,
    readyReplicas: 3,
    pauseConditions: pauseFrom('PausedByStepBasedHook', 20),
  }),
  pods: [
    shopPod({ name: 'b4xzk', revision: updateName, restarts: 1 }),
    shopPod({ name: 'k8w2p', revision: updateName, restarts: 1 }),
    shopPod({ name: 'mm2fq', waiting: 'CrashLoopBackOff', restarts: 12 }),
    shopPod({ name: 'zz9lt' }),
  ],
  runs: [shopRun(4, 'Failed', { value: '0.31' })],
});

/** In a pause that ends by itself, and a pod is out of service. */
const timedPause = shopSnapshot({
  workload: shopWorkload({
    currentStepIndex: 3,
    phase: 'Paused',
    reason: 'PausedByCanaryPauseStep',
    message: `Step 4/5 pauses until ${ago(-42)}.`,
    pauseConditions: pauseFrom('PausedByCanaryPauseStep', 18),
  }),
  pods: [
    shopPod({ name: 'b4xzk', revision: updateName, gate: 'False' }),
    shopPod({ name: 'k8w2p', revision: updateName, restarts: 1 }),
    shopPod({ name: 'mm2fq' }),
    shopPod({ name: 'zz9lt' }),
  ],
});

const many = shopSnapshot({
  workload: shopWorkload({
    currentStepIndex: 0,
    reason: 'WaitingForPods',
    message: 'Step 1/5 waits for pods.',
  }),
  pods: Array.from({ length: 30 }, (_, i) =>
    shopPod({ name: String(i), ...(i === 25 ? { waiting: 'ImagePullBackOff' } : {}) }),
  ),
});

const snapshots: Readonly<Record<string, ViewSnapshot>> = {
  'get-failed-hook': failedHook,
  'get-timed-pause': timedPause,
  'get-many-pods': many,
};

const textOf = (lines: readonly StyledLine[]): string =>
  `${lines.map((line) => printedLine(line, false)).join('\n')}\n`;

const widths = [80, 160] as const;

for (const columns of widths) {
  test.for(Object.entries(snapshots))(`%s at ${columns} columns`, async ([name, snapshot]) => {
    const layout = { columns, now: shopTime, isWide: false };
    const text = textOf(releaseLines(releaseViewOf(snapshot), layout));
    expectToFit(text, columns);
    await expect(text).toMatchFileSnapshot(golden(`${name}-${columns}`));
  });

  test(`list at ${columns} columns`, async () => {
    const releases = [failedHook, timedPause].map(({ workload }, i) => ({
      ...releaseSummaryOf(workload),
      name: ['shop', 'market'][i] ?? '',
    }));
    const others = [
      summary({
        name: 'lobby',
        phase: 'Complete',
        images: [{ container: 'lobby', image: 'registry.example/lobby:20' }],
      }),
      summary({
        kind: 'GameStatefulSet',
        name: 'db',
        phase: 'Blocked',
        reason: 'FailedCreate',
        message: 'pods "db-3" is forbidden: exceeded quota',
      }),
    ];
    const layout = { columns, now: shopTime, isWide: false, hasNamespaces: true };
    const text = textOf(listLines([...releases, ...others], layout));
    expectToFit(text, columns);
    await expect(text).toMatchFileSnapshot(golden(`list-${columns}`));
  });

  test(`history at ${columns} columns`, async () => {
    const text = textOf(historyScreen(history, shopTime, false, columns));
    expectToFit(text, columns);
    await expect(text).toMatchFileSnapshot(golden(`history-${columns}`));
  });
}

const { step: _step, ...simple } = releaseSummaryOf(shopWorkload());
const summary = (more: Partial<typeof simple>): typeof simple => ({
  ...simple,
  reason: '',
  message: '',
  ...more,
});

const history = historyRows(
  shopWorkload({
    history: [
      {
        revision: updateName,
        releaseID: 'r3',
        images: ['shop=registry.example/shop:1.5'],
        startTime: ago(640),
        outcome: 'Progressing',
        startedBy: 'kubectl-patch',
        verdicts: [{ step: 5, hookRun: 'x', phase: 'Failed' }],
        acts: [
          {
            verb: 'promote',
            by: 'ada',
            step: 2,
            time: ago(300),
            result: 'Done',
            reason: 'checked the dashboards',
          },
          { verb: 'promote', by: 'bob', step: 2, time: ago(299), result: 'Ignored' },
        ],
      },
      {
        revision: 'shop-77c9d5f6b4',
        images: ['shop=registry.example/shop:1.4.1'],
        startTime: ago(90_000),
        endTime: ago(89_000),
        outcome: 'Aborted',
        cause: 'PausedByStepBasedHook',
        startedBy: 'argocd-controller',
        verdicts: [{ step: 5, hookRun: 'y', phase: 'Failed' }],
      },
    ] as unknown as JsonObject[],
  }),
  [
    revisionOf(stableName, 1, 'registry.example/shop:1.4'),
    revisionOf(updateName, 3, 'registry.example/shop:1.5'),
  ],
  shopTime,
);

function expectToFit(text: string, columns: number): void {
  for (const line of text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(columns);
}

test.for([20, 40, 61, 80])('nothing is wider than %i columns', (columns) => {
  for (const snapshot of Object.values(snapshots)) {
    const layout = { columns, now: shopTime, isWide: true };
    expectToFit(textOf(releaseLines(releaseViewOf(snapshot), layout)), columns);
  }
});

test.for([5, 12, 16, 24, 60])('a frame has at most %i rows', (rows) => {
  for (const snapshot of Object.values(snapshots)) {
    const lines = frameLines(releaseViewOf(snapshot), { columns: 80, now: shopTime, isWide: false }, rows);
    expect(lines.length).toBeLessThanOrEqual(rows);
  }
});

test('texts of objects cannot command the terminal', () => {
  const hostile = '\u001B]0;title\u0007\u009B2J\u202Eevil\r\nline';
  const snapshot = shopSnapshot({
    workload: shopWorkload({ message: hostile, reason: hostile }),
    pods: [shopPod({ name: hostile, waiting: hostile })],
  });
  const text = textOf(releaseLines(releaseViewOf(snapshot), { columns: 400, now: shopTime, isWide: true }));
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u);
});
